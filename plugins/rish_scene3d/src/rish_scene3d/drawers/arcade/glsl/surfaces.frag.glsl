layout(location = 0) out vec4 picture;

void main() {
    Surface s = surface();
#ifdef MASKED
    if (s.alpha < of_material(1).w) discard;
#endif
    vec3 light = shaded(s, world, (gl_FragCoord.xy - viewport.xy) / viewport.zw);
#ifdef BLENDED
    picture = vec4(light * s.alpha, s.alpha);
#else
    picture = vec4(light, 1.0);
#endif
}
