#if defined(ONE_MATERIAL) && !defined(MAP_METALLIC_ROUGHNESS)
uniform vec4 albedo[3];
void albedo_of(float rough, out vec4 a, out vec4 b, out vec4 c) {
    a = albedo[0];
    b = albedo[1];
    c = albedo[2];
}
#else
vec4 albedo_texel(int i, float part) { return mix(albedo_rows[i], albedo_rows[i + 3], part); }
void albedo_of(float rough, out vec4 a, out vec4 b, out vec4 c) {
    float at = rough * 31.0;
    int row = min(int(at), 30);
    float part = at - float(row);
    a = albedo_texel(3 * row, part);
    b = albedo_texel(3 * row + 1, part);
    c = albedo_texel(3 * row + 2, part);
}
#endif
uniform sampler2D atlas;
const vec3 MEANS_LOW = vec3(1.0, 1.0 / 3.0, 1.0 / 15.0);
const vec3 MEANS_HIGH = vec3(1.0 / 45.0, 1.0 / 153.0, 1.0 / 561.0);

struct Gloss {
    vec3 diffuse;
    vec3 f0;
    float alpha;
    vec3 whole_low, whole_high, bright_low, bright_high;
    vec3 matt_low, matt_high, more_low, more_high;
    vec3 tint;
};

void powers(float cosine, out vec3 low, out vec3 high) {
    float t = 1.0 - clamp(cosine, 0.0, 1.0);
    float t4 = (t * t) * (t * t), t8 = t4 * t4, t16 = t8 * t8;
    low = vec3(1.0, t, t4);
    high = vec3(t8, t16, t16 * t16);
}

Gloss gloss(vec3 base, float metal, float roughness) {
    Gloss g;
    float rough = clamp(roughness, 0.045, 1.0);
    vec4 a, b, c;
    albedo_of(rough, a, b, c);
    g.f0 = 0.04 * (1.0 - metal) + base * metal;
    g.whole_low = a.xyz;
    g.whole_high = vec3(a.w, b.xy);
    g.bright_low = vec3(b.zw, c.x);
    g.bright_high = c.yzw;
    vec3 one = vec3(1.0, 0.0, 0.0);
    vec3 lost_low = one - g.whole_low, lost_high = -g.whole_high;
    vec3 through_low = one - 0.04 * g.whole_low - 0.96 * g.bright_low;
    vec3 through_high = -0.04 * g.whole_high - 0.96 * g.bright_high;
    float lost = max(dot(lost_low, MEANS_LOW) + dot(lost_high, MEANS_HIGH), 1e-4);
    float through = max(dot(through_low, MEANS_LOW) + dot(through_high, MEANS_HIGH), 1e-4);
    vec3 mean = (20.0 * g.f0 + 1.0) / 21.0;
    float kept = 1.0 - lost;
    g.diffuse = base * (1.0 - metal);
    g.alpha = rough * rough;
    g.matt_low = through_low / sqrt(through);
    g.matt_high = through_high / sqrt(through);
    g.more_low = lost_low / sqrt(lost);
    g.more_high = lost_high / sqrt(lost);
    g.tint = mean * mean * kept / (1.0 - mean * (1.0 - kept));
    return g;
}

float ggx(float alpha, float nl, float nv, float nh) {
    float a2 = alpha * alpha, below = nh * nh * (a2 - 1.0) + 1.0;
    float masked = nl * sqrt(nv * nv * (1.0 - a2) + a2) + nv * sqrt(nl * nl * (1.0 - a2) + a2);
    return a2 / max(below * below, 1e-12) * (0.5 / max(masked, 1e-7));
}

vec3 reflected(Gloss g, vec3 n, vec3 to_eye, vec3 to_light) {
    float nl = max(dot(n, to_light), 0.0), nv = max(dot(n, to_eye), 1e-4);
    vec3 mid = to_eye + to_light;
    mid /= max(length(mid), 1e-20);
    float nh = clamp(dot(n, mid), 0.0, 1.0), vh = clamp(dot(to_eye, mid), 0.0, 1.0), t = 1.0 - vh;
    vec3 fresnel = g.f0 + (1.0 - g.f0) * (t * t * t * t * t);
    vec3 light_low, light_high, eye_low, eye_high;
    powers(nl, light_low, light_high);
    powers(nv, eye_low, eye_high);
    float matt = max(dot(g.matt_low, light_low) + dot(g.matt_high, light_high), 0.0)
        * max(dot(g.matt_low, eye_low) + dot(g.matt_high, eye_high), 0.0);
    float more = max(dot(g.more_low, light_low) + dot(g.more_high, light_high), 0.0)
        * max(dot(g.more_low, eye_low) + dot(g.more_high, eye_high), 0.0);
    return (g.diffuse * matt + ggx(g.alpha, nl, nv, nh) * fresnel + g.tint * more) * nl;
}

vec3 phong(Surface s, vec3 to_eye, vec3 to_light) {
    float nl = dot(s.normal, to_light);
    if (nl <= 0.0) return vec3(0.0);
    float along = max(dot(2.0 * nl * s.normal - to_light, to_eye), 0.0);
    return s.base * nl + (along > 0.0 ? s.metallic * pow(along, s.roughness) : 0.0);
}

vec3 ambient_light(vec3 n) {
    vec3 sum = ambient[0].rgb + ambient[1].rgb * n.y + ambient[2].rgb * n.z + ambient[3].rgb * n.x;
    sum += ambient[4].rgb * (n.x * n.y) + ambient[5].rgb * (n.y * n.z) + ambient[6].rgb * (3.0 * n.z * n.z - 1.0);
    return max(sum + ambient[7].rgb * (n.x * n.z) + ambient[8].rgb * (n.x * n.x - n.y * n.y), 0.0);
}

vec3 atlas_texels(int level, ivec2 corner, vec2 f) {
    ivec2 p = corner + ivec2(0, 64 * level);
    vec3 top = mix(texelFetch(atlas, p, 0).rgb, texelFetch(atlas, p + ivec2(1, 0), 0).rgb, f.x);
    vec3 bottom = mix(texelFetch(atlas, p + ivec2(0, 1), 0).rgb, texelFetch(atlas, p + ivec2(1, 1), 0).rgb, f.x);
    return mix(top, bottom, f.y);
}

vec3 atlas_light(vec3 direction, float roughness) {
    float level = clamp(roughness, 0.0, 1.0) * 5.0;
    int lower = min(int(level), 4);
    vec2 at = octahedral(direction) * 63.0;
    ivec2 corner = min(ivec2(at), ivec2(62));
    vec2 f = at - vec2(corner);
    return mix(atlas_texels(lower, corner, f), atlas_texels(lower + 1, corner, f), level - float(lower));
}

vec3 environment(Gloss g, Surface s, vec3 to_eye) {
    vec3 low, high;
    float nv = dot(s.normal, to_eye);
    powers(max(nv, 1e-4), low, high);
    float whole = clamp(dot(g.whole_low, low) + dot(g.whole_high, high), 0.0, 1.0);
    float bright = clamp(dot(g.bright_low, low) + dot(g.bright_high, high), 0.0, 1.0);
    float through = 1.0 - 0.04 * whole - 0.96 * bright;
    vec3 once = g.f0 * max(whole - bright, 0.0) + bright;
    vec3 mirrored = atlas_light(turned(2.0 * nv * s.normal - to_eye, SKY_TURN), s.roughness);
    return mirrored * once + ambient_light(s.normal) * (g.tint * (1.0 - whole) + g.diffuse * through);
}

#ifdef LAMPS
uniform sampler2D lamps;
uniform isampler2D clusters;
int cluster_number(int i) { return texelFetch(clusters, place(i), 0).x; }
vec4 lamp(int i, int k) { return texelFetch(lamps, place(8 * i + k), 0); }

int cluster_of(vec2 at, float depth) {
    float part = log(max(depth, NEAR) / NEAR) / log(FAR / NEAR);
    ivec3 cell = ivec3(clamp(vec3(at * vec2(16.0, 9.0), part * 24.0), vec3(0.0), vec3(15.0, 8.0, 23.0)));
    return (cell.z * 9 + cell.y) * 16 + cell.x;
}

vec3 lamp_light(int i, vec3 point, out vec3 to_light) {
    vec4 head = lamp(i, 0), color = lamp(i, 1);
    vec3 way = head.xyz - point;
    float square = max(dot(way, way), 1e-12);
    to_light = way / sqrt(square);
    float ratio = square / (head.w * head.w), window = clamp(1.0 - ratio * ratio, 0.0, 1.0);
    float share = window * window / max(square, 1e-4);
    if (color.w > -1.0) {
        vec4 axis = lamp(i, 2);
        float cone = clamp((-dot(to_light, axis.xyz) - color.w) / (axis.w - color.w), 0.0, 1.0);
        share *= cone * cone;
    }
    return share * color.rgb;
}
#endif
