// Declarations that precede an author's shader, see rish_frame.frame.shaders.

struct Pixel { vec4 color; vec2 uv; vec2 at; };

uniform float time;
uniform vec2 resolution;
uniform sampler2D rish_before;

vec4 picture(vec2 uv) {
    if (uv.x < 0.0 || uv.y < 0.0 || uv.x > 1.0 || uv.y > 1.0) return vec4(0.0);
    return rish_cut(uv - 0.5, rish_rect0, rish_layer0);
}

vec4 screen(vec2 at) { return texture(rish_before, at); }
