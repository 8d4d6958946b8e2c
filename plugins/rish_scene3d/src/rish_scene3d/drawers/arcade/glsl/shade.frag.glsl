layout(location = 0) out vec4 picture;

vec3 unfolded(vec2 p) {
    float y = 1.0 - abs(p.x) - abs(p.y);
    vec2 outer = (1.0 - abs(p.yx)) * vec2(p.x >= 0.0 ? 1.0 : -1.0, p.y >= 0.0 ? 1.0 : -1.0);
    vec2 q = y >= 0.0 ? p : outer;
    return normalize(vec3(q.x, y, q.y));
}

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    float depth = texelFetch(input4, pixel, 0).r;
    if (depth <= 0.0) discard;
    vec4 base = texelFetch(input0, pixel, 0), facing = texelFetch(input1, pixel, 0);
    vec4 emitted = texelFetch(input2, pixel, 0), flatter = texelFetch(input3, pixel, 0);
    Surface s;
    s.base = base.rgb;
    s.alpha = 1.0;
    s.metallic = base.a;
    s.normal = unfolded(facing.xy + flatter.zw);
    s.flat_normal = unfolded(flatter.xy);
    s.roughness = facing.z;
    s.occlusion = facing.w;
    s.emitted = emitted.rgb;
    int code = int(emitted.w + 0.5);
    s.shaded = code >= 4;
    s.model = code & 3;
    vec2 at = (gl_FragCoord.xy - viewport.xy) / viewport.zw, clip = at * 2.0 - 1.0;
    float w = projection[2][3] * -depth + projection[3][3];
    vec3 seen = vec3(
        (clip.x * w + projection[2][0] * depth - projection[3][0]) / projection[0][0],
        (clip.y * w + projection[2][1] * depth - projection[3][1]) / projection[1][1], -depth);
    vec3 point = (back * vec4(seen, 1.0)).xyz;
    picture = vec4(shaded(s, point, at), 1.0);
    gl_FragDepth = (projection[2][2] * -depth + projection[3][2]) / w * 0.5 + 0.5;
}
