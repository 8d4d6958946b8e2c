// One rectangle that contains the complete grid, x0 y0 x1 y1 in pixels.

uniform vec4 box;

void main() {
    vec2 at = corner() + 0.5;
    gl_Position = vec4(mix(box.xy, box.zw, at) / resolution * 2.0 - 1.0, 0.0, 1.0);
}
