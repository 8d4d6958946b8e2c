// For every vertex shader: from the pass's space to pixels, and from there onto the target.
// Pixels count from the target's bottom left corner, as gl_FragCoord does.

uniform vec2 resolution;   // of the target, pixels
uniform vec4 plane;        // a b c d of the map from the pass's space to pixels
uniform vec2 shift;        // pixels: where the batch's origin lies

// A pixel whose centre lies on a left or top edge belongs to a thing, on a right or bottom one it does not. OpenGL
// leaves such ties to the driver, so everything is moved out of them, by the least step that it can tell apart.
const vec2 NUDGE = vec2(-1.0, 1.0) / 256.0;
const vec4 NOWHERE = vec4(2.0, 2.0, 2.0, 1.0);

vec2 turned(vec2 v) { return plane.xy * v.x + plane.zw * v.y; }

vec4 on_target(vec2 pixel) { return vec4((pixel + NUDGE) / resolution * 2.0 - 1.0, 0.0, 1.0); }

// The corner of the unit square, -0.5 to 0.5, of a strip of four.
vec2 corner() { return vec2(gl_VertexID & 1, gl_VertexID >> 1) - 0.5; }

float area_of(vec2 across, vec2 up) { return across.x * up.y - across.y * up.x; }

// The inverse of the map with these columns, as g.x g.y h.x h.y: x = dot(g.xz, p), y = dot(g.yw, p).
vec4 inverse_of(vec2 across, vec2 up, float area) {
    float one = 1.0 / area;
    return vec4(up.y * one, -across.y * one, -up.x * one, across.x * one);
}

// Whether a number is NaN or infinite, by its bits: compilers may take it that floats never are.
bool broken(uint bits) { return (bits & 0x7F800000u) == 0x7F800000u; }
bool broken(uvec4 bits) { return broken(bits.x) || broken(bits.y) || broken(bits.z) || broken(bits.w); }

vec4 bytes(uint word) { return vec4(word & 255u, word >> 8 & 255u, word >> 16 & 255u, word >> 24) / 255.0; }

// A straight colour as a premultiplied one, in whole levels of eight bits as the software backend has it.
vec4 premultiplied(vec4 straight) {
    return vec4(floor(straight.rgb * straight.a * 255.0 + 0.5) / 255.0, straight.a);
}
