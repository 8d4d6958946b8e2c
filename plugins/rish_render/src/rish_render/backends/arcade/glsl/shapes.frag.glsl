// Boxes and ellipses with smooth edges; the formulas are those of the software backend's shapes.py.

uniform int whole;         // 1: draw only pixels that are covered by half or more, with the full color

flat in vec4 inverse;
flat in vec2 center;
flat in vec4 measure;
flat in int ellipse;
flat in vec4 fill;
flat in vec4 fill2;
flat in vec4 edge;

OUTPUTS

float overlap(float x, float half_) { return max(min(x + 0.5, half_) - max(x - 0.5, -half_), 0.0); }

float rounded(vec2 p, vec2 half_, float corner) {
    vec2 q = abs(p) - half_ + corner;
    return q.x <= 0.0 || q.y <= 0.0 ? max(q.x, q.y) - corner : length(q) - corner;
}

float oval(vec2 p, vec2 half_) {
    vec2 u = p / half_;
    float k = length(u), steep = length(u / half_);
    return steep < 1e-9 ? -min(half_.x, half_.y) : k * (k - 1.0) / steep;
}

float coverage(vec2 p, vec2 half_, float corner) {
    float least = min(half_.x, half_.y);
    if (least <= 0.0) return 0.0;
    if (ellipse == 0 && corner <= 0.0) return overlap(p.x, half_.x) * overlap(p.y, half_.y);
    float away = ellipse == 0 ? rounded(p, half_, min(corner, least)) : oval(p, half_);
    return min(clamp(0.5 - away, 0.0, 1.0), min(2.0 * least, 1.0));
}

void main() {
    vec2 away = gl_FragCoord.xy - center;
    vec2 p = vec2(dot(inverse.xz, away), dot(inverse.yw, away));
    vec2 half_ = measure.xy;
    float line = measure.w;
    float cover = coverage(p, half_, measure.z), inner = cover;
    if (line > 0.0) inner = coverage(p, half_ - line, max(measure.z - line, 0.0));
    vec4 color = fill;
    if (fill != fill2) {
        float part = floor(clamp(0.5 - p.y / (2.0 * half_.y), 0.0, 1.0) * 256.0);
        vec4 a = floor(fill * 255.0 + 0.5), b = floor(fill2 * 255.0 + 0.5);
        color = floor((a * (256.0 - part) + b * part) / 256.0) / 255.0;
    }
    if (whole != 0) {
        if (cover < 0.5) discard;
        color = inner >= 0.5 ? color : edge;
    } else {
        float rim = cover - inner;
        vec4 over = min(edge + in_levels(color * (1.0 - edge.a)), 1.0);
        float all = floor(clamp(inner + rim, 0.0, 1.0) * 255.0 + 0.5);
        float part = min(floor(clamp(rim, 0.0, 1.0) * 255.0 + 0.5), all);
        color = in_levels(color * ((all - part) / 255.0)) + in_levels(over * (part / 255.0));
    }
    picture0 = color;
    CHANNELS
}
