// Boxes and ellipses: a b c d | tx ty half | corner line kind color | second color, outline.

in uvec4 sides;
in uvec4 middle;
in uvec4 form;
in uvec4 colors;

uniform float keep_alpha;  // 0 to add light

flat out vec4 inverse;
flat out vec2 center;
flat out vec4 measure;     // half width, half height, corner, line: pixels
flat out int ellipse;
flat out vec4 fill;
flat out vec4 fill2;
flat out vec4 edge;

void main() {
    gl_Position = NOWHERE;
    if (broken(sides) || broken(middle) || broken(form.x) || broken(form.y)) return;
    vec4 m = uintBitsToFloat(sides);
    vec2 across = turned(m.xy), up = turned(m.zw);
    vec2 sizes = uintBitsToFloat(middle.zw);
    float area = area_of(across, up);
    if (!(abs(area) >= 1e-9) || sizes.x <= 0.0 || sizes.y <= 0.0) return;
    float density = sqrt(abs(area) / (4.0 * sizes.x * sizes.y));
    vec4 light = vec4(1.0, 1.0, 1.0, keep_alpha);
    fill = premultiplied(bytes(form.w)) * light;
    fill2 = premultiplied(bytes(colors.x)) * light;
    edge = premultiplied(bytes(colors.y)) * light;
    measure = vec4(sizes, uintBitsToFloat(form.xy)) * density;
    if (edge == vec4(0.0)) measure.w = 0.0;
    inverse = inverse_of(across, up, area) * 2.0 * measure.xyxy;
    center = shift + turned(uintBitsToFloat(middle.xy));
    ellipse = int(form.z);
    // Smoothing extends half a pixel beyond the border.
    vec2 at = corner() * (1.0 + 1.0 / measure.xy);
    gl_Position = on_target(center + across * at.x + up * at.y);
}
