// The light that a lamp adds to a pixel; the names are those of rish_lighting.formulas.

uniform vec4 back;        // two columns: from pixels of the target to units
uniform sampler2D maps;
uniform int map_shift;    // base-2 logarithm of the texels per row of the maps
#ifdef TEXTURE
uniform sampler2DArray cookies;
#endif
#ifdef NORMALS
uniform sampler2D normals;
uniform vec2 normal_scale;
#endif

// place.xy: from the light to pixel (0, 0)
flat in vec4 place, color, fall, axis, map_, strip;
flat in int wedge;
out vec4 drawn;

float turn(vec2 v, float near) {
    float slope = v.y / near;
    return min(v.x >= 0.0 ? 1.0 + slope : 3.0 - slope, 3.9999998);
}

float blocked_at(int at) {
    return texelFetch(maps, ivec2(at & ((1 << map_shift) - 1), at >> map_shift), 0).r;
}

// The least distance at which anything blocks in the direction u. A map fits in one row unless it is longer than a row.
float first_blocked(float u, int start, int bins) {
    int bin = int(u * (float(bins) * 0.25));
#ifdef LONG
    return blocked_at(start + bin);
#else
    return texelFetch(maps, ivec2((start & ((1 << map_shift) - 1)) + bin, start >> map_shift), 0).r;
#endif
}

float free_way(vec2 v, int start, int bins) {
    float near = max(abs(v.x) + abs(v.y), 1e-20);
    return near <= first_blocked(turn(v, near), start, bins) ? 1.0 : 0.0;
}

#ifdef SOFT
// The visible share of the source: first find the distance of the blocker in nearby directions, then count the free
// directions within the angle under which the source appears past the blocker.
float soft_way(vec2 v, int start, int bins, float size, float nearest) {
    float d = length(v);
    if (nearest >= d * 1.42) return 1.0;
    vec2 aside = vec2(-v.y, v.x);
    float wide = min(size * max(1.0 / max(nearest * 0.70711, size) - 1.0 / d, 0.0), 0.5);
    float sum = 0.0, count = 0.0;
    for (int k = 0; k < SEARCH; k++) {
        vec2 w = v + aside * (wide * ((float(k) + 0.5) * 2.0 / float(SEARCH) - 1.0));
        float near = abs(w.x) + abs(w.y);
        float far = first_blocked(turn(w, near), start, bins) / near;
        if (far < 1.0) {
            sum += far;
            count += 1.0;
        }
    }
    if (count == 0.0) return 1.0;
    wide = min(size / d * max(count / sum - 1.0, 0.0), 0.5);
    float seen = 0.0;
    for (int k = 0; k < TAPS; k++)
        seen += free_way(v + aside * (wide * ((float(k) + 0.5) * 2.0 / float(TAPS) - 1.0)), start, bins);
    return seen / float(TAPS);
}
#endif

float attenuation(float dd) {
    float q = dd / (place.z * place.z), left = max(1.0 - q, 0.0);
#ifdef FALLOFF
    int how = int(fall.z);
    float d = sqrt(dd), base = how == 0 ? fall.x / (fall.x + d) : how == 1 ? max(1.0 - d / place.z, 0.0) : 1.0;
    if (fall.y != 1.0) base = pow(max(base, 1e-20), fall.y);
    return q < 1.0 ? (fall.w > 0.0 ? base * left * left : base) : 0.0;
#else
    return left * left * fall.x / (fall.x + sqrt(dd));
#endif
}

#ifdef NORMALS
// Lambert's cosine. The texel has x and y of the normal, and the share of the pixel that has a normal, premultiplied.
float facing(vec2 v) {
    vec3 n = texture(normals, gl_FragCoord.xy * normal_scale).rgb;
    if (n.b <= 0.0) return 1.0;
    vec2 flat_ = n.rg / n.b * 2.0 - 1.0;
    vec3 normal = normalize(vec3(flat_, sqrt(max(1.0 - dot(flat_, flat_), 0.0))));
    return mix(1.0, max(dot(normal, normalize(vec3(-v, color.w))), 0.0), n.b);
}
#endif

void main() {
    vec2 pixel = gl_FragCoord.xy;
#ifdef STRAIGHT
    vec2 v = back.xw * pixel + place.xy;
#else
    vec2 v = back.xy * pixel.x + back.zw * pixel.y + place.xy;
#endif
    float near = max(abs(v.x) + abs(v.y), 1e-20);
    float u = turn(v, near);
    if (int(u * (WEDGES / 4.0)) != wedge) discard;  // wedges overlap slightly, but each pixel is drawn by one wedge
    int kind = int(place.w), start = int(map_.x), bins = int(map_.y), shadow = int(map_.z);
    vec3 light = color.rgb;
#ifdef GRADIENT
    if (kind == 5) {
        vec2 way = axis.zw - axis.xy;
        float share = clamp(dot(v - axis.xy, way) / max(dot(way, way), 1e-20), 0.0, 1.0);
        drawn = vec4(mix(fall.xyz, light, share), 0.0);
        return;
    }
#endif
#ifdef SUN
    if (kind == 2) {
        float lit = 1.0;
        if (shadow > 0) {
            float t = dot(v, axis.xy) + strip.z, s = (dot(v, vec2(-axis.y, axis.x)) + strip.x) / strip.y;
            int strip_ = clamp(int(s), 0, bins - 1), row = clamp(int(t / strip.w), 0, int(axis.w) - 1);
            if (blocked_at(start + 2 * row * bins + strip_) < t) lit = 0.0;
            if (row > 0 && blocked_at(start + (2 * row - 1) * bins + strip_) >= t - strip.w) lit = 0.0;
        }
#ifdef NORMALS
        lit *= facing(axis.xy * color.w);
#endif
        drawn = vec4(light * lit, 0.0);
        return;
    }
#endif
#ifdef AREA
    if (kind == 3) {
        int rows = int(axis.w);
        float sum = 0.0;
        vec2 line = vec2(-axis.y, axis.x) * axis.z;
        for (int k = 0; k < rows; k++) {
            vec2 w = v - line * ((float(k) + 0.5) / float(rows) * 2.0 - 1.0);
            float part = attenuation(dot(w, w));
#ifdef NORMALS
            part *= facing(w);
#endif
            if (shadow > 0) part *= free_way(w, start + k * bins, bins);
            sum += part;
        }
        drawn = vec4(light * (sum / float(rows)), 0.0);
        return;
    }
#endif
    float dd = dot(v, v);
    float lit = attenuation(dd);
    if (shadow == 1) lit = near <= first_blocked(u, start, bins) ? lit : 0.0;
#ifdef SOFT
    if (shadow == 2) lit *= soft_way(v, start, bins, map_.w, strip.x);
#endif
#ifdef SPOT
    if (kind == 1) {
        float t = clamp((dot(v, axis.xy) / max(sqrt(dd), 1e-20) - axis.z) / (axis.w - axis.z), 0.0, 1.0);
        lit *= t * t * (3.0 - 2.0 * t);
    }
#endif
#ifdef NORMALS
    lit *= facing(v);
#endif
#ifdef TEXTURE
    if (kind == 4) {
        vec2 at = vec2(dot(v, axis.xy), dot(v, vec2(-axis.y, axis.x))) / (2.0 * place.z) + 0.5;
        vec4 c = texture(cookies, vec3(at.x, 1.0 - at.y, axis.z));
        vec3 low = c.rgb / 12.92, high = pow((max(c.rgb, vec3(0.04045)) + 0.055) / 1.055, vec3(2.4));
        light *= mix(low, high, step(vec3(0.04045), c.rgb)) * c.a;
    }
#endif
    drawn = vec4(light * lit, 0.0);
}
