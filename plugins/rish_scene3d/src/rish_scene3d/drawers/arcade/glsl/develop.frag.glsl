layout(location = 0) out vec4 result;
uniform float exposure;
uniform int tone;

const float RANKS[16] = float[16](0., 8., 2., 10., 12., 4., 14., 6., 3., 11., 1., 9., 15., 7., 13., 5.);

void main() {
    vec4 texel = texelFetch(input0, ivec2(gl_FragCoord.xy - viewport.xy), 0);
    float alpha = clamp(texel.a, 0.0, 1.0);
    vec3 light = alpha > 0.0 ? max(texel.rgb / alpha, 0.0) * exposure : vec3(0.0);
    if (tone == 1) {
        light *= 0.6;
        light = light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14);
    }
    ivec2 cell = ivec2(gl_FragCoord.xy) & 3;
    float spread = (RANKS[cell.y * 4 + cell.x] - 7.5) / (16.0 * 255.0);
    result = vec4(max(encode(light) + spread, 0.0) * alpha, alpha);
}
