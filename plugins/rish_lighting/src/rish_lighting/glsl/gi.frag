// Radiance cascades: SHRINK makes the scene, COLUMN and ROW measure distances, CASCADE fills one cascade, GATHER the
// light of each texel, FILL that of solid ones, ADD brings it onto a target.
uniform ivec2 size;
uniform sampler2D scene;      // rgb what a texel emits, a 1 where it is solid
#ifdef SHRINK
uniform sampler2D emission;
uniform sampler2D solid;
uniform float factor;
#endif
#if defined(FILL) || defined(ADD)
uniform sampler2D light;
uniform vec2 scale;
uniform float strength;
uniform int reach;
#endif
#if defined(CASCADE) || defined(GATHER)
uniform sampler2D distances;  // texels to the nearest solid one, across or up, the greater of both; at most REACH
uniform sampler2D albedo;     // of solid texels
uniform sampler2D thrown;     // what falls on a wall beside a free texel
uniform sampler2D upper;      // the next cascade, means over four directions, a tile for each
uniform ivec2 upper_probes;
uniform int upper_across;     // tiles in a row of it
uniform float spacing;
uniform float upper_spacing;
uniform vec2 stretch;         // where rays begin and end, texels from their probe
uniform int directions;
#endif
#ifdef CASCADE
uniform ivec2 probes;
uniform int across;
#endif
out vec4 drawn;

#ifdef SHRINK
vec3 decode(vec3 c) {
    return mix(c / 12.92, pow((max(c, vec3(0.04045)) + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy), whole = textureSize(emission, 0);
    ivec2 first = at * whole / size, end = (at + 1) * whole / size;
    vec4 total = vec4(0.0);
    for (int y = first.y; y < end.y; y++)
        for (int x = first.x; x < end.x; x++) {
            vec4 own = texelFetch(emission, ivec2(x, y), 0);
            total += vec4(decode(own.rgb / max(own.a, 1e-6)) * own.a, own.a);
        }
    float count = float((end.x - first.x) * (end.y - first.y));
    bool glows = total.a > 0.247 * count && total.r + total.g + total.b > 0.0;
    vec3 bright = glows ? total.rgb / total.a * factor : vec3(0.0);
    drawn = vec4(bright, glows || texelFetch(solid, at, 0).r > 0.0 ? 1.0 : 0.0);
}
#endif

#ifdef FILL
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    drawn = vec4(texelFetch(light, at, 0).rgb, 1.0);
    if (texelFetch(scene, at, 0).a < 0.5) return;
    vec4 total = vec4(0.0);
    int nearest = reach * reach + 1;
    for (int y = max(at.y - reach, 0); y < min(at.y + reach + 1, size.y); y++)
        for (int x = max(at.x - reach, 0); x < min(at.x + reach + 1, size.x); x++) {
            int far = (x - at.x) * (x - at.x) + (y - at.y) * (y - at.y);
            if (far > reach * reach || texelFetch(scene, ivec2(x, y), 0).a > 0.5) continue;
            total += vec4(texelFetch(light, ivec2(x, y), 0).rgb, 1.0) / float(far * far);
            nearest = min(nearest, far);
        }
    float fade = 1.0 - (sqrt(float(nearest)) - 1.0) / float(reach);
    drawn = vec4(total.a > 0.0 ? total.rgb * fade / total.a : vec3(0.0), 1.0);
}
#endif

#ifdef ADD
void main() {
    drawn = vec4(texture(light, gl_FragCoord.xy * scale).rgb * strength, 0.0);
}
#endif

#ifdef COLUMN
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float far = REACH;
    for (int k = 0; float(k) < far; k++) {
        float above = texelFetch(scene, ivec2(at.x, min(at.y + k, size.y - 1)), 0).a;
        float below = texelFetch(scene, ivec2(at.x, max(at.y - k, 0)), 0).a;
        if (max(above, below) > 0.5) far = float(k);
    }
    drawn = vec4(far);
}
#endif

#ifdef ROW
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float far = REACH;
    for (int k = 0; float(k) < far; k++) {
        float right = texelFetch(scene, ivec2(min(at.x + k, size.x - 1), at.y), 0).r;
        float left = texelFetch(scene, ivec2(max(at.x - k, 0), at.y), 0).r;
        float near = min(right, left);
        far = min(far, max(near, float(k)));
    }
    drawn = vec4(far);
}
#endif

#if defined(CASCADE) || defined(GATHER)
// The light of the first solid texel between two places; false where there is none.
bool march(vec2 from, vec2 to, out vec3 light) {
    light = vec3(0.0);
    float whole = distance(from, to);
    vec2 way = (to - from) / max(whole, 1e-6);
    way = mix(way, vec2(1e-6), lessThan(abs(way), vec2(1e-6)));
    vec2 slow = 1.0 / way, ahead = step(vec2(0.0), way);
    vec2 low = -from * slow, high = (vec2(size) - from) * slow;
    vec2 enter = min(low, high), leave = max(low, high);
    float t = max(max(enter.x, enter.y), 0.0), end = min(min(leave.x, leave.y), whole);
    if (t > 0.0) t += 1e-3;
    for (int k = 0; k < 600; k++) {
        if (t >= end && k > 0 || t > end) return false;
        ivec2 at = clamp(ivec2(floor(from + way * t)), ivec2(0), size - 1);
        float far = texelFetch(distances, at, 0).r;
        if (far < 0.5) {
            light = texelFetch(scene, at, 0).rgb;
            ivec2 beside = clamp(ivec2(floor(from + way * (t - 2e-3))), ivec2(0), size - 1);  // where it came from
            if (k > 0) light += texelFetch(albedo, at, 0).rgb * texelFetch(thrown, beside, 0).rgb;
            return true;
        }
        // all is free in a square around this texel: go to its border
        vec2 border = (vec2(at) + mix(vec2(1.0 - far), vec2(far), ahead) - from) * slow;
        t = max(min(border.x, border.y), t) + 1e-3;
    }
    return false;
}

// What comes to a probe from one direction, and from all beyond.
vec3 arrive(vec2 probe, int number) {
    float turn = (float(number) + 0.5) / float(directions) * 6.28318530718;
    vec2 way = vec2(cos(turn), sin(turn)), from = probe + way * stretch.x;
    vec3 total = vec3(0.0), light;
#ifdef LAST
    march(from, probe + way * stretch.y, light);
    return light;
#else
    vec2 place = probe / upper_spacing - 0.5;
    ivec2 base = ivec2(floor(place));
    vec2 share = place - vec2(base);
    ivec2 tile = ivec2(number % upper_across, number / upper_across) * upper_probes;
    for (int corner = 0; corner < 4; corner++) {
        ivec2 side = ivec2(corner & 1, corner >> 1);
        ivec2 other = clamp(base + side, ivec2(0), upper_probes - 1);
        vec2 part = mix(1.0 - share, share, vec2(side));
        vec2 to = (vec2(other) + 0.5) * upper_spacing + way * stretch.y;
        if (!march(from, to, light)) light = texelFetch(upper, tile + other, 0).rgb;
        total += light * (part.x * part.y);
    }
    return total;
#endif
}
#endif

#ifdef CASCADE
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy), tile = at / probes, probe = at - tile * probes;
    vec3 total = vec3(0.0);
    int first = 4 * (tile.y * across + tile.x);
    if (first >= directions) discard;
    for (int k = 0; k < 4; k++) total += arrive((vec2(probe) + 0.5) * spacing, first + k);
    drawn = vec4(total * 0.25, 1.0);
}
#endif

#ifdef GATHER
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    drawn = vec4(0.0, 0.0, 0.0, 1.0);
    if (texelFetch(distances, at, 0).r < 0.5) return;
    vec3 total = vec3(0.0);
    float whole = 0.0;
#ifdef THROW
    vec2 normal = vec2(0.0);
    for (int y = max(at.y - 1, 0); y < min(at.y + 2, size.y); y++)
        for (int x = max(at.x - 1, 0); x < min(at.x + 2, size.x); x++)
            if (texelFetch(distances, ivec2(x, y), 0).r < 0.5) normal -= vec2(x - at.x, y - at.y);
    if (normal == vec2(0.0)) return;
#endif
    for (int k = 0; k < directions; k++) {
#ifdef THROW
        float turn = (float(k) + 0.5) / float(directions) * 6.28318530718;
        float part = max(dot(normal, vec2(cos(turn), sin(turn))), 0.0);
#else
        float part = 1.0;
#endif
        if (part > 0.0) total += arrive(vec2(at) + 0.5, k) * part;
        whole += part;
    }
    drawn = vec4(total / whole, 1.0);
}
#endif
