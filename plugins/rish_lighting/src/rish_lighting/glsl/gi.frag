// Holographic radiance cascades, see rish_lighting.gi.kernels. PAIR makes the rays of level 1 from the scene, GROW
// those of the next level. MERGE fills the cones of even columns, or with ODD those of odd ones. GATHER sums the light
// of each texel, or with THROW the light on walls. SHRINK makes the scene, FACE the normals of walls, FILL the light of
// solid texels. ADD adds the light to a target.
uniform ivec2 size;
uniform sampler2D scene;      // rgb: the emitted light of a texel; a: 1 if it is solid
#ifdef SHRINK
uniform sampler2D emission;
uniform sampler2D solid;
uniform float factor;
uniform ivec4 window;        // the visible part of the emission
#endif
#if defined(FILL) || defined(ADD)
uniform sampler2D light;
uniform vec2 corner;          // corner of the lit part of the target, pixels
uniform vec2 scale;
uniform float strength;
uniform int reach;
#endif
#ifdef BACK
uniform sampler2D albedo;     // color of solid texels
uniform sampler2D thrown;     // light on a wall beside a free texel
#endif
#if defined(PAIR) || defined(GROW) || defined(MERGE)
uniform int upright;          // 0: the quadrants right and left, one above the other; 1: up and down
#endif
#if defined(GROW) || defined(MERGE)
uniform sampler2D rays;       // rays of this level: 2ⁿ + 1 texels side by side per column
uniform int level;
#endif
#ifdef MERGE
uniform sampler2D longer;     // rays of the next level
uniform sampler2D cones;      // cones of the next level; with LAST there is none
uniform float inner;          // weight of the inner ray
#endif
#ifdef GATHER
uniform sampler2D level_cones;  // cones of level 1, right and left
uniform sampler2D upright_cones;
uniform sampler2D lamps;      // light of lamps on a wall beside a free texel
#endif
out vec4 drawn;

#ifdef SHRINK
vec3 decode(vec3 c) {
    return mix(c / 12.92, pow((max(c, vec3(0.04045)) + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 total = vec4(0.0);
    float count = 1.0;
#ifdef GLOWS
    ivec2 first = window.xy + at * window.zw / size, end = window.xy + (at + 1) * window.zw / size;
    for (int y = first.y; y < end.y; y++)
        for (int x = first.x; x < end.x; x++) {
            vec4 own = texelFetch(emission, ivec2(x, y), 0);
            total += vec4(decode(own.rgb / max(own.a, 1e-6)) * own.a, own.a);
        }
    count = float((end.x - first.x) * (end.y - first.y));
#endif
    bool glows = total.a > 0.247 * count && total.r + total.g + total.b > 0.0;
    vec3 bright = glows ? total.rgb / total.a * factor : vec3(0.0);
    drawn = vec4(bright, glows || texelFetch(solid, at, 0).r > 0.0 ? 1.0 : 0.0);
}
#endif

#if defined(FACE) || defined(THROW)
// The normal of the wall beside a free texel; 0 if there is no wall.
vec2 face(ivec2 at) {
    vec2 normal = vec2(0.0);
    if (texelFetch(scene, at, 0).a > 0.5) return normal;
    for (int y = max(at.y - 1, 0); y < min(at.y + 2, size.y); y++)
        for (int x = max(at.x - 1, 0); x < min(at.x + 2, size.x); x++)
            if (texelFetch(scene, ivec2(x, y), 0).a > 0.5) normal -= vec2(x - at.x, y - at.y);
    return normal == vec2(0.0) ? normal : normalize(normal);
}
#endif

#ifdef FACE
uniform mat2 turn;            // from the grid to the world

void main() {
    vec2 normal = turn * face(ivec2(gl_FragCoord.xy));
    float whole = length(normal);  // slightly more than 1, so that rounding gives no upward component
    drawn = vec4((whole > 0.0 ? normal * (1.01 / whole) : normal) * 0.5 + 0.5, 1.0, 1.0);
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
    drawn = vec4(texture(light, (gl_FragCoord.xy - corner) * scale).rgb * strength, 0.0);
}
#endif

#if defined(PAIR) || defined(GATHER)
// The texel at a position in a quadrant: 0 right, 1 up, 2 left, 3 down.
ivec2 texel(ivec2 at, int quadrant) {
    int length = (quadrant & 1) == 0 ? size.x : size.y;
    int u = quadrant > 1 ? length - 1 - at.x : at.x;
    return (quadrant & 1) == 0 ? ivec2(u, at.y) : ivec2(at.y, u);
}

// The ray from a position to one in the next column; back: the light on a wall beside the first position.
vec4 step_(ivec2 from, int aside, vec3 back, int quadrant) {
    ivec2 at = texel(from + ivec2(1, aside), quadrant), there = clamp(at, ivec2(0), size - 1);
    vec4 met = texelFetch(scene, there, 0);
    met.a *= float(there == at);
#ifdef BACK
    met.rgb += texelFetch(albedo, there, 0).rgb * back;
#endif
    return vec4(met.rgb * met.a, 1.0 - met.a);
}

vec3 fallen(ivec2 from, int quadrant) {
#ifdef BACK
    return texelFetch(thrown, clamp(texel(from, quadrant), ivec2(0), size - 1), 0).rgb;
#else
    return vec3(0.0);
#endif
}

vec4 join(vec4 near, vec4 far) {
    return vec4(near.rgb + near.a * far.rgb, near.a * far.a);
}
#endif

#if defined(PAIR) || defined(GROW) || defined(MERGE)
// Length and width of a quadrant.
ivec2 extent() {
    return upright == 1 ? size.yx : size;
}

// Integer division, which is faster in floats.
int parts(int whole, int part) {
    return int((float(whole) + 0.5) / float(part));
}
#endif

#ifdef PAIR
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int width = extent().y, side = at.y >= width ? 1 : 0, column = parts(at.x, 3), quadrant = upright + 2 * side;
    int aside = at.x - 3 * column - 1;
    ivec2 from = ivec2(2 * column, at.y - side * width);
    ivec2 next = from + ivec2(1, aside);
    vec4 near = step_(from, aside, fallen(from, quadrant), quadrant);
    drawn = join(near, step_(next, aside, fallen(next, quadrant), quadrant));
}
#endif

#if defined(GROW) || defined(MERGE)
int columns(int of) {
    return (extent().x + (1 << of) - 1) >> of;
}

// Ray k of a column, across; a ray that begins outside the grid is empty.
vec4 ray(sampler2D from, int of, int column, int k, int v, int side) {
    int width = extent().y, there = min(column, columns(of) - 1), across = clamp(v, 0, width - 1);
    vec4 found = texelFetch(from, ivec2(there * ((1 << of) + 1) + k, across + side * width), 0);
    return mix(vec4(0.0, 0.0, 0.0, 1.0), found, float(there == column && across == v));
}
#endif

#ifdef GROW
vec4 both(int column, int a, int b, int v, int side) {
    vec4 near = ray(rays, level, column, a, v, side);
    vec4 far = ray(rays, level, column + 1, b, v + 2 * a - (1 << level), side);
    return vec4(near.rgb + near.a * far.rgb, near.a * far.a);
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int width = extent().y, side = at.y >= width ? 1 : 0, v = at.y - side * width, count = (2 << level) + 1;
    int column = parts(at.x, count), k = at.x - column * count, a = k >> 1, b = (k + 1) >> 1;
    drawn = both(2 * column, a, b, v, side);
    if (a != b) drawn = 0.5 * (drawn + both(2 * column, b, a, v, side));
}
#endif

#ifdef MERGE
// The index of the first cone of odd columns: cones are stored by column, even columns first.
int first_odd(int of) {
    return (columns(of) + 1) / 2 << of;
}

vec3 seen(int column, int cone, int v, int side) {
    int width = extent().y, there = min(column, columns(level + 1) - 1), across = clamp(v, 0, width - 1);
    int begin = (there & 1) * first_odd(level + 1) + (there >> 1 << level + 1);
    return texelFetch(cones, ivec2(begin + cone, across + side * width), 0).rgb * float(there == column && across == v);
}

// The light of a ray and of the cone of the next level at its end; of: the level of the ray.
vec3 ahead(sampler2D from, int of, int column, int k, int cone, int v, int side) {
    vec4 near = ray(from, of, column, k, v, side);
#ifdef LAST
    return near.rgb;
#else
    int next = of == level ? (column + 1) >> 1 : column + 1;
    return near.rgb + near.a * seen(next, cone, v + 2 * k - (1 << of), side);
#endif
}

// The angle of one of `count` cones in a quadrant, up to a constant factor, from the slope at its middle.
float cover(int cone, int count) {
    float slope = float(2 * cone + 1 - count) / float(count);
    return 1.0 / (1.0 + slope * slope);
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int width = extent().y, side = at.y >= width ? 1 : 0, v = at.y - side * width, count = 1 << level;
#ifdef ODD
    int from_odd = at.x - first_odd(level), column = 2 * (from_odd >> level) + 1, cone = from_odd & (count - 1);
#else
    int column = 2 * (at.x >> level), cone = at.x & (count - 1);
#endif
    vec3 total = vec3(0.0);
    for (int half_ = 0; half_ < 2; half_++) {
        int m = 2 * cone + half_, k = cone + half_;
#ifdef ODD
        vec3 light = ahead(rays, level, column, k, m, v, side);
#ifdef INNER
        light = mix(light, ahead(rays, level, column, 2 * cone + 1 - k, m, v, side), inner);
#endif
#else
#ifdef LAST
        vec4 near = ray(rays, level, column, k, v, side);
        vec3 light = near.rgb + near.a * ray(rays, level, column + 1, k, v + 2 * k - count, side).rgb;
#else
        vec3 light = ahead(longer, level + 1, column >> 1, 2 * k, m, v, side);
#endif
#ifdef INNER
        light = mix(light, ahead(longer, level + 1, column >> 1, 2 * cone + 1, m, v, side), 2.0 * inner);
#endif
#ifndef LAST
        light = 0.5 * (light + seen(column >> 1, m, v, side));
#endif
#endif
        total += light * cover(m, 2 * count);
    }
    drawn = vec4(total / (cover(2 * cone, 2 * count) + cover(2 * cone + 1, 2 * count)), 1.0);
}
#endif

#ifdef GATHER
vec3 seen(ivec2 at, int cone, int quadrant) {
    ivec2 whole = (quadrant & 1) == 1 ? size.yx : size, there = clamp(at, ivec2(0), whole - 1);
    int column = there.x >> 1, begin = (column & 1) * ((whole.x + 3) / 4 * 2) + (column >> 1) * 2;
    ivec2 place = ivec2(begin + cone, there.y + (quadrant >> 1) * whole.y);
    vec3 found = (quadrant & 1) == 1 ? texelFetch(upright_cones, place, 0).rgb : texelFetch(level_cones, place, 0).rgb;
    return found * float(there == at);
}

// The light from an eighth of the circle: in a quadrant, the side to the right (0) or left (1) of straight ahead.
vec3 arrive(ivec2 at, int side, vec3 back, int quadrant) {
    int aside = 2 * side - 1;
    ivec2 ahead = at + ivec2(1, 0), beside = at + ivec2(1, aside);
    vec4 straight = step_(at, 0, back, quadrant), turned = step_(at, aside, back, quadrant);
    if ((at.x & 1) == 1) {
        vec3 light = straight.rgb + straight.a * seen(ahead, side, quadrant);
        return 0.5 * (light + turned.rgb + turned.a * seen(beside, side, quadrant));
    }
    vec4 way = 0.5 * (join(straight, step_(ahead, aside, fallen(ahead, quadrant), quadrant))
                    + join(turned, step_(beside, 0, fallen(beside, quadrant), quadrant)));
    return 0.5 * (way.rgb + way.a * seen(at + ivec2(2, aside), side, quadrant) + seen(at, side, quadrant));
}

#ifdef THROW
// The sine of the angle from the normal to the start of an eighth; if that is behind the wall, the value `behind`.
float sine(vec2 normal, float turn, float behind) {
    vec2 way = vec2(cos(turn), sin(turn));
    return dot(normal, way) >= 0.0 ? normal.x * way.y - normal.y * way.x : behind;
}
#endif

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    drawn = vec4(0.0, 0.0, 0.0, 1.0);
    if (texelFetch(scene, at, 0).a > 0.5) return;
    vec3 total = vec3(0.0);
#ifdef THROW
    vec2 normal = face(at);
    if (normal == vec2(0.0)) return;
    total = texelFetch(lamps, at, 0).rgb;
#endif
    vec3 back = fallen(at, 0);
    for (int quadrant = 0; quadrant < 4; quadrant++)
        for (int side = 0; side < 2; side++) {
            float weight = 0.125;
#ifdef THROW
            int eighth = quadrant == 0 ? 7 + side : (quadrant & 1) == 1 ? 2 * quadrant - (quadrant == 1 ? side : 1 - side)
                                                                        : 4 - side;
            float turn = float(eighth) * 0.78539816339;
            vec2 middle = vec2(cos(turn + 0.39269908), sin(turn + 0.39269908));
            float behind = normal.x * middle.y - normal.y * middle.x > 0.0 ? 1.0 : -1.0;
            weight = 0.5 * (sine(normal, turn + 0.78539816339, behind) - sine(normal, turn, behind));
#endif
            ivec2 from = (quadrant & 1) == 0 ? at : at.yx;
            if (quadrant > 1) from.x = (quadrant == 2 ? size.x : size.y) - 1 - from.x;
            if (weight > 0.0) total += arrive(from, side, back, quadrant) * weight;
        }
    drawn = vec4(total, 1.0);
}
#endif
