// For every vertex shader: the transforms from the pass's space to pixels and from pixels to the target.
// Pixels are relative to the target's bottom left corner, as in gl_FragCoord.

uniform vec2 resolution;   // size of the target, pixels
uniform vec4 plane;        // a b c d of the transform from the pass's space to pixels
uniform vec2 shift;        // the batch's origin, pixels

// A shape includes pixels whose center is on its left or top edge, not those on its right or bottom edge. OpenGL leaves
// such ties to the driver, so everything is moved by the smallest step that the rasterizer distinguishes.
const vec2 NUDGE = vec2(-1.0, 1.0) / 256.0;
const vec4 NOWHERE = vec4(2.0, 2.0, 2.0, 1.0);

vec2 turned(vec2 v) { return plane.xy * v.x + plane.zw * v.y; }

vec4 on_target(vec2 pixel) { return vec4((pixel + NUDGE) / resolution * 2.0 - 1.0, 0.0, 1.0); }

// The corner of a unit square, -0.5 to 0.5, drawn as a strip of four vertices.
vec2 corner() { return vec2(gl_VertexID & 1, gl_VertexID >> 1) - 0.5; }

float area_of(vec2 across, vec2 up) { return across.x * up.y - across.y * up.x; }

// The inverse of the matrix with these columns, as g.x g.y h.x h.y: x = dot(g.xz, p), y = dot(g.yw, p).
vec4 inverse_of(vec2 across, vec2 up, float area) {
    float one = 1.0 / area;
    return vec4(up.y * one, -across.y * one, -up.x * one, across.x * one);
}

// Whether a number is NaN or infinite, tested by its bits, because compilers may assume that floats are finite.
bool broken(uint bits) { return (bits & 0x7F800000u) == 0x7F800000u; }
bool broken(uvec4 bits) { return broken(bits.x) || broken(bits.y) || broken(bits.z) || broken(bits.w); }

vec4 bytes(uint word) { return vec4(word & 255u, word >> 8 & 255u, word >> 16 & 255u, word >> 24) / 255.0; }

// Premultiply a straight color and round it to 8-bit levels, as in the software backend.
vec4 premultiplied(vec4 straight) {
    return vec4(floor(straight.rgb * straight.a * 255.0 + 0.5) / 255.0, straight.a);
}
