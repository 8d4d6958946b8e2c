layout(location = 0) out float picture;
uniform vec3 eye;
uniform float reach;

void main() {
#ifdef MASKED
    if (base_color().a < of_material(1).w) discard;
#endif
    picture = reach > 0.0 ? min(length(world - eye) / reach, 1.0) : gl_FragCoord.z;
}
