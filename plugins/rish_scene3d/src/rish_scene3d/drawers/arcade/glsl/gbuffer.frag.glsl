layout(location = 0) out vec4 base_out;
layout(location = 1) out vec4 normal_out;
layout(location = 2) out vec4 emitted_out;
layout(location = 3) out vec4 flat_out;
layout(location = 4) out float depth_out;

void main() {
    Surface s = surface();
#ifdef MASKED
    if (s.alpha < of_material(1).w) discard;
#endif
    vec2 facing = octahedral(s.normal) * 2.0 - 1.0, coarse = floor(facing * 1024.0 + 0.5) / 1024.0;
    base_out = vec4(s.base, s.metallic);
    normal_out = vec4(coarse, s.roughness, s.occlusion);
    emitted_out = vec4(s.emitted, float(s.model) + (s.shaded ? 4.0 : 0.0));
    flat_out = vec4(octahedral(s.flat_normal) * 2.0 - 1.0, facing - coarse);
    depth_out = -dot(vec4(view[0][2], view[1][2], view[2][2], view[3][2]), vec4(world, 1.0));
}
