// The interpolated color of a triangle's corners, times its image if it has one.

uniform vec4 rect;         // u0 v0 u1 v1 of the image on its page
uniform float layer;       // layer of the page; below 0: no image
uniform float keep_alpha;

in vec4 tint;
in vec2 at;

OUTPUTS

void main() {
    vec4 color = in_levels(tint);
    if (layer >= 0.0) color = in_levels(color * rish_texel(rect.xy + at, rect, layer));
    picture0 = color * vec4(1.0, 1.0, 1.0, keep_alpha);
    CHANNELS
}
