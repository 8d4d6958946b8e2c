// An image on a parallelogram. The position in the image is computed from the pixel, not interpolated between corners,
// so that it is equally exact for huge and small sprites.

flat in vec4 rish_inverse;
flat in vec2 rish_center;
flat in vec4 rish_tint;
flat in float rish_alpha;
INPUTS

vec4 rish_cut(vec2 local, vec4 rect, float layer) {
    if (layer < 0.0) return vec4(0.0);
    return rish_texel(rect.xy + vec2(local.x + 0.5, 0.5 - local.y) * (rect.zw - rect.xy), rect, layer);
}
MATERIAL
void main() {
    vec2 away = gl_FragCoord.xy - rish_center;
    vec2 local = vec2(dot(rish_inverse.xz, away), dot(rish_inverse.yw, away));
    vec4 color = in_levels(rish_cut(local, rish_rect0, rish_layer0) * rish_tint);
    float cover = color.a * rish_covers;
    SHADE
    picture0 = color * vec4(1.0, 1.0, 1.0, rish_alpha);
    CHANNELS
}
