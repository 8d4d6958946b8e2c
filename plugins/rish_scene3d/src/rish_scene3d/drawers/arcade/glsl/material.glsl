#ifdef ONE_MATERIAL
#ifdef MAPS
uniform vec4 material[14];
#else
uniform vec4 material[4];
#endif
#else
uniform sampler2D materials;
#endif
flat in int row;
flat in vec4 tint;
in vec3 world;
in vec3 normal;
in vec4 tangent;
in vec2 uv;
in vec2 uv1;
in vec4 color;

#ifdef ONE_MATERIAL
vec4 of_material(int k) { return material[k]; }
#else
vec4 of_material(int k) { return texelFetch(materials, place(14 * row + k), 0); }
#endif

#ifdef MAPS
int wrapped(int i, int side, int wrap) {
    if (wrap == 2) return clamp(i, 0, side - 1);
    int period = wrap == 1 ? 2 * side : side;
    i -= period * int(floor(float(i) / float(period)));
    return i < side ? i : period - 1 - i;
}

#ifdef PAGED
vec4 bilinear_page(int page, int wraps, vec2 at, float lod) {
    int side = side_of(page);
    int last = int(log2(float(side)) + 0.5);
    int level = clamp(int(floor(lod + 0.5)), 0, last);
    side = max(side >> level, 1);
    vec2 p = at * float(side) - 0.5, low = floor(p), f = p - low;
    ivec2 i = ivec2(low);
    int x0 = wrapped(i.x, side, wraps & 3), x1 = wrapped(i.x + 1, side, wraps & 3);
    int y0 = wrapped(i.y, side, wraps >> 4), y1 = wrapped(i.y + 1, side, wraps >> 4);
    return mix(mix(texel_of(page, ivec2(x0, y0), level), texel_of(page, ivec2(x1, y0), level), f.x),
               mix(texel_of(page, ivec2(x0, y1), level), texel_of(page, ivec2(x1, y1), level), f.x), f.y);
}

#endif
#ifdef PICTURES
vec4 bilinear_input(int number, int wraps, vec2 at) {
    ivec2 wide = size_of_input(number);
    vec2 size = vec2(wide);
    vec2 p = at * size - 0.5, low = floor(p), f = p - low;
    ivec2 i = ivec2(low);
    int x0 = wrapped(i.x, wide.x, wraps & 3), x1 = wrapped(i.x + 1, wide.x, wraps & 3);
    int y0 = wide.y - 1 - wrapped(i.y, wide.y, wraps >> 4), y1 = wide.y - 1 - wrapped(i.y + 1, wide.y, wraps >> 4);
    return mix(mix(input_texel(number, ivec2(x0, y0)), input_texel(number, ivec2(x1, y0)), f.x),
               mix(input_texel(number, ivec2(x0, y1)), input_texel(number, ivec2(x1, y1)), f.x), f.y);
}
#endif

vec4 map_of(int k) {
    vec4 head = of_material(4 + 2 * k), tail = of_material(5 + 2 * k);
    int page = int(head.x), wraps = int(head.y);
    vec3 from = vec3((wraps & 4) != 0 ? uv1 : uv, 1.0);
    vec2 at = vec2(dot(vec3(head.zw, tail.x), from), dot(tail.yzw, from));
    vec2 across = dFdx(at), up = dFdy(at);
    if (page == -1) return vec4(1.0);
#ifdef PICTURES
    if (page < -1) return bilinear_input(-2 - page, wraps & ~4, at);
#endif
#ifdef PAGED
    float side = float(side_of(page));
    across *= side;
    up *= side;
    float lod = 0.5 * log2(max(max(dot(across, across), dot(up, up)), 1e-20));
    return bilinear_page(page, wraps & ~4, at, lod);
#else
    return vec4(1.0);
#endif
}
#endif

vec4 base_color() {
    vec4 base = of_material(0);
#ifdef MAP_BASE
    vec4 texel = map_of(0);
    base *= vec4(decode(texel.rgb), texel.a);
#endif
    return base * color * tint;
}

Surface surface() {
    Surface s;
    vec4 base = base_color(), more = of_material(1), rest = of_material(2), last = of_material(3);
    s.base = base.rgb;
    s.alpha = base.a;
    s.emitted = more.rgb;
    s.model = int(last.x);
    s.occlusion = 1.0;
    s.shaded = true;
#ifdef BRIGHT
    s.shaded = false;
#endif
    s.metallic = rest.x;
    s.roughness = rest.y;
#ifdef MAP_METALLIC_ROUGHNESS
    vec4 texel = map_of(1);
    s.metallic *= texel.b;
    s.roughness *= texel.g;
#endif
#ifdef PHONG
    if (s.model == 1) {
        s.metallic = last.y;
        s.roughness = last.z;
    }
#endif
#ifdef MAP_OCCLUSION
    s.occlusion = 1.0 + rest.w * (map_of(3).r - 1.0);
#endif
#ifdef MAP_EMISSIVE
    s.emitted *= decode(map_of(4).rgb);
#endif
    s.flat_normal = s.normal = normalize(normal);
#if defined(MAP_NORMAL) && defined(TANGENT)
    vec4 bump = map_of(2);
    if (of_material(8).x != -1.0) {
        vec3 t = normalize(tangent.xyz);
        vec3 b = cross(s.flat_normal, t) * tangent.w;
        vec3 slope = 2.0 * bump.xyz - 1.0;
        s.normal = normalize(t * (slope.x * rest.z) + b * (slope.y * rest.z) + s.flat_normal * slope.z);
    }
#endif
#ifdef DOUBLE_SIDED
    if (!gl_FrontFacing) {
        s.flat_normal = -s.flat_normal;
        s.normal = -s.normal;
    }
#endif
    return s;
}
