// Draws the fog of war over an image.
uniform sampler2D picture;
uniform sampler2D squares;
uniform mat2 back;
uniform vec2 start;
uniform vec4 color;
uniform float dim;
uniform float saturation;
out vec4 drawn;

vec3 decode(vec3 c) {
    return mix(c / 12.92, pow((max(c, vec3(0.04045)) + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
}

vec3 encode(vec3 c) {
    return mix(c * 12.92, 1.055 * pow(max(c, vec3(0.0031308)), vec3(1.0 / 2.4)) - 0.055, step(vec3(0.0031308), c));
}

void main() {
    vec4 own = texelFetch(picture, ivec2(gl_FragCoord.xy), 0);
    vec2 at = back * gl_FragCoord.xy + start;
    bool inside = all(greaterThanEqual(at, vec2(0.0))) && all(lessThanEqual(at, vec2(1.0)));
    vec2 clear = inside ? texture(squares, at).rg : vec2(0.0);
    clear *= clear * (3.0 - 2.0 * clear);
    float now = clear.x, ever = max(clear.x, clear.y);
#ifdef ENCODED
    vec3 bright = decode(own.rgb);
#else
    vec3 bright = own.rgb;
#endif
    float gray = dot(bright, vec3(0.2126, 0.7152, 0.0722));
    vec3 known = mix(vec3(gray), bright, saturation) * dim;
    float left = (1.0 - ever) * color.a;
    vec3 seen = (bright * now + known * (1.0 - now)) * (1.0 - left) + color.rgb * own.a * left;
#ifdef ENCODED
    seen = encode(clamp(seen, 0.0, 1.0));
#endif
    drawn = vec4(now >= 1.0 ? own.rgb : seen, own.a);
}
