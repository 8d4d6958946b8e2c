layout(location = 0) out vec4 result;
uniform sampler2D picture;
uniform int sun_count;

vec3 picture_light(vec3 d) {
    ivec2 size = textureSize(picture, 0);
    float u = atan(d.x, -d.z) / 6.283185307179586 + 0.5, v = acos(clamp(d.y, -1.0, 1.0)) / 3.141592653589793;
    float x = u * float(size.x) - 0.5, y = clamp(v * float(size.y) - 0.5, 0.0, float(size.y - 1));
    float left = floor(x), top = min(floor(y), float(size.y - 1));
    float a = x - left, b = y - top;
    int x0 = (int(left) + size.x) % size.x, x1 = (int(left) + 1) % size.x;
    int y0 = int(top), y1 = min(y0 + 1, size.y - 1);
    vec3 upper = mix(texelFetch(picture, ivec2(x0, y0), 0).rgb, texelFetch(picture, ivec2(x1, y0), 0).rgb, a);
    vec3 lower = mix(texelFetch(picture, ivec2(x0, y1), 0).rgb, texelFetch(picture, ivec2(x1, y1), 0).rgb, a);
    return mix(upper, lower, b);
}

#ifdef STARRY
uint cell_hash(uint number) {
    uint state = number * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

float star_light(vec3 d, float pixel) {
    vec2 at;
    float unused;
    int face = face_of(d, at, unused);
    ivec2 cell = ivec2(clamp((at * 0.5 + 0.5) * 64.0, 0.0, 63.0));
    uint bits = cell_hash(uint((face * 64 + cell.y) * 64 + cell.x));
    if ((bits & 255u) >= 40u) return 0.0;
    vec2 star = vec2(cell) + 0.25 + vec2(float((bits >> 8u) & 255u), float((bits >> 16u) & 255u)) / 512.0;
    vec2 off = star / 64.0 * 2.0 - 1.0 - at;
    float stretch = 1.0 + dot(at, at), along = dot(off, at);
    float across = (dot(off, off) - along * along / stretch) / stretch;
    float radius = min(max(0.0012, pixel), 0.003), power = float((bits >> 24u) & 255u) / 255.0;
    float spot = clamp(1.0 - across / (radius * radius), 0.0, 1.0), fade = clamp(d.y * 6.0, 0.0, 1.0);
    float share = 0.0012 / radius;
    return power * power * power * share * share * spot * spot * fade * STARS;
}
#endif

void main() {
    vec2 clip = (gl_FragCoord.xy - viewport.xy) / viewport.zw * 2.0 - 1.0;
    vec3 d = ORTHOGRAPHIC > 0.5 ? -backwards() : normalize(mat3(back) * ray_of(clip));
    float pixel = 2.0 / (projection[1][1] * viewport.w);
    vec3 seen = turned(d, SKY_TURN), light = picture_light(seen) * SKY_LIGHT;
#ifdef STARRY
    light += vec3(star_light(seen, pixel));
#endif
    if (DISC > 0.0) {
        float power = min(1.0 / (DISC * DISC), 64.0);
        for (int k = 0; k < sun_count; k++) {
            float inside = clamp((DISC - length(d + SUN_AXIS(k))) / pixel + 0.5, 0.0, 1.0);
            light += inside * power * SUN_COLOR(k);
        }
    }
    if (FOG_DENSITY > 0.0) light = fogged(light, clear_share(EYE, EYE + d * FAR));
    result = vec4(light * EXPOSURE, 1.0);
    gl_FragDepth = 1.0;
}
