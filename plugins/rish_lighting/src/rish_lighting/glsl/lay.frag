// Draws a sheet with its light over the target.
uniform sampler2D sheet;
#ifdef LIT
uniform sampler2D light;
uniform vec2 scale;
#endif
#ifdef EMISSION
uniform sampler2D emission;
uniform float glow;
#endif
#ifdef READS
uniform sampler2D below;
#endif
out vec4 drawn;

vec3 decode(vec3 c) {
    return mix(c / 12.92, pow((max(c, vec3(0.04045)) + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
}

vec3 encode(vec3 c) {
    return mix(c * 12.92, 1.055 * pow(max(c, vec3(0.0031308)), vec3(1.0 / 2.4)) - 0.055, step(vec3(0.0031308), c));
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 own = texelFetch(sheet, at, 0);
    vec3 plain = min(own.rgb, vec3(own.a)), more = own.rgb - plain;  // additive light, brighter than the opacity allows
    vec3 shown = plain / max(own.a, 1e-6);
#if defined(LIT) || !defined(ENCODED)
    vec3 bright = decode(shown);
#endif
#ifdef LIT
    vec3 shine = texture(light, gl_FragCoord.xy * scale).rgb;
    bright *= shine;
    if (more != vec3(0.0)) more = encode(clamp(decode(more) * shine, 0.0, 1.0));
#endif
#ifdef EMISSION
    vec4 glowing = texelFetch(emission, at, 0);
    bright += decode(glowing.rgb / max(glowing.a, 1e-6)) * glowing.a * glow;
#endif
#ifdef ENCODED
#ifdef LIT
    shown = encode(clamp(bright, 0.0, 1.0));
#endif
    drawn = vec4(shown * own.a + more, own.a);
#else
    if (own.a >= 1.0) {
        drawn = vec4(bright, 1.0);
        return;
    }
    vec4 u = vec4(encode(clamp(bright, 0.0, 1.0)) * own.a + more, own.a);
    vec3 over = max(bright - 1.0, 0.0) * own.a;
#ifdef READS
    vec4 p = texelFetch(below, at, 0);
    vec3 straight = p.rgb / max(p.a, 1e-6);
    u += vec4(encode(clamp(straight, 0.0, 1.0)), 1.0) * (p.a * (1.0 - own.a));
    over += max(straight - 1.0, 0.0) * (p.a * (1.0 - own.a));
#endif
    drawn = vec4(decode(min(u.rgb / max(u.a, 1e-6), 1.0)) * u.a + over, u.a);
#endif
}
