// A polygon's color, scaled by the coverage of each pixel.

uniform sampler2D covers;
uniform vec2 resolution;
uniform int whole;         // 1: draw only pixels that are covered by half or more, with the full color
uniform float keep_alpha;

flat in vec2 offset;
flat in vec4 fill;

OUTPUTS

void main() {
    vec2 at = vec2(gl_FragCoord.x, resolution.y - gl_FragCoord.y);
    float cover = texelFetch(covers, ivec2(floor(at + offset)), 0).x;
    float part = floor(min(abs(cover), 1.0) * 255.0 + 0.5);
    if (whole != 0 ? part < 128.0 : part == 0.0) discard;
    vec4 color = whole != 0 ? fill : in_levels(fill * (part / 255.0));
    picture0 = color * vec4(1.0, 1.0, 1.0, keep_alpha);
    CHANNELS
}
