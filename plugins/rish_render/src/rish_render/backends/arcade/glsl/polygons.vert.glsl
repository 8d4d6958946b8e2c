// The box of a polygon on the target, filled according to the coverage texture.

in vec4 box;               // x y (top left, pixels from the target's top left corner), width, height
in vec4 cover;             // x y of the box in the coverage texture
in uvec4 color;

uniform vec2 resolution;

flat out vec2 offset;
flat out vec4 fill;

vec4 bytes(uint word) { return vec4(word & 255u, word >> 8 & 255u, word >> 16 & 255u, word >> 24) / 255.0; }

void main() {
    vec2 at = box.xy + vec2(gl_VertexID & 1, gl_VertexID >> 1) * box.zw;
    offset = cover.xy - box.xy;
    fill = bytes(color.x);
    fill.rgb = floor(fill.rgb * fill.a * 255.0 + 0.5) / 255.0;
    gl_Position = vec4(vec2(at.x, resolution.y - at.y) / resolution * 2.0 - 1.0, 0.0, 1.0);
}
