layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec4 in_tangent;
layout(location = 3) in vec2 in_uv;
layout(location = 4) in vec2 in_uv1;
layout(location = 5) in vec4 in_color;
layout(location = 6) in uvec4 in_joints;
layout(location = 7) in vec4 in_weights;
layout(location = 8) in uvec4 in_more_joints;
layout(location = 9) in vec4 in_more_weights;
layout(location = 10) in vec4 in_row0;
layout(location = 11) in vec4 in_row1;
layout(location = 12) in vec4 in_row2;
layout(location = 13) in uvec4 in_rest;

#ifdef SKIN
uniform sampler2D palettes;
void add_joint(int first, uint joint, float weight, inout vec4 r0, inout vec4 r1, inout vec4 r2) {
    int i = 3 * (first + int(joint));
    r0 += weight * texelFetch(palettes, place(i), 0);
    r1 += weight * texelFetch(palettes, place(i + 1), 0);
    r2 += weight * texelFetch(palettes, place(i + 2), 0);
}
#endif
#ifdef MORPHS
uniform sampler2D morphs;
uniform sampler2D deltas;
uniform int target_count;
uniform int vertex_count;
#endif

flat out int row;
flat out vec4 tint;
out vec3 world;
out vec3 normal;
out vec4 tangent;
out vec2 uv;
out vec2 uv1;
out vec4 color;

void main() {
    vec3 p = in_position, n = in_normal, t = vec3(0.0);
#ifdef TANGENT
    t = in_tangent.xyz;
#endif
#ifdef MORPHS
    int first_weight = int(in_rest.w);
    if (first_weight >= 0) {
        for (int k = 0; k < target_count; k++) {
            float w = texelFetch(morphs, place(first_weight + k), 0).r;
            if (w == 0.0) continue;
            int i = 3 * k * vertex_count + gl_VertexID;
            p += w * texelFetch(deltas, place(i), 0).xyz;
            n += w * texelFetch(deltas, place(i + vertex_count), 0).xyz;
#ifdef TANGENT
            t += w * texelFetch(deltas, place(i + 2 * vertex_count), 0).xyz;
#endif
        }
    }
#endif
#ifdef SKIN
    int palette = int(in_rest.z);
    if (palette >= 0) {
        vec4 r0 = vec4(0.0), r1 = vec4(0.0), r2 = vec4(0.0);
        for (int k = 0; k < 4; k++) add_joint(palette, in_joints[k], in_weights[k], r0, r1, r2);
#if SKIN == 8
        for (int k = 0; k < 4; k++) add_joint(palette, in_more_joints[k], in_more_weights[k], r0, r1, r2);
#endif
        p = vec3(dot(r0, vec4(p, 1.0)), dot(r1, vec4(p, 1.0)), dot(r2, vec4(p, 1.0)));
        n = n.x * cross(vec3(r0.y, r1.y, r2.y), vec3(r0.z, r1.z, r2.z))
            + n.y * cross(vec3(r0.z, r1.z, r2.z), vec3(r0.x, r1.x, r2.x))
            + n.z * cross(vec3(r0.x, r1.x, r2.x), vec3(r0.y, r1.y, r2.y));
        t = vec3(dot(r0.xyz, t), dot(r1.xyz, t), dot(r2.xyz, t));
    }
#endif
    vec3 a = vec3(in_row0.x, in_row1.x, in_row2.x), b = vec3(in_row0.y, in_row1.y, in_row2.y);
    vec3 c = vec3(in_row0.z, in_row1.z, in_row2.z);
    float turned = dot(cross(a, b), c) < 0.0 ? -1.0 : 1.0;
    world = vec3(dot(in_row0, vec4(p, 1.0)), dot(in_row1, vec4(p, 1.0)), dot(in_row2, vec4(p, 1.0)));
    normal = turned * (n.x * cross(b, c) + n.y * cross(c, a) + n.z * cross(a, b));
    tangent = vec4(a * t.x + b * t.y + c * t.z, 1.0);
#ifdef TANGENT
    tangent.w = in_tangent.w * turned;
#endif
    uv = uv1 = vec2(0.0);
#ifdef UV
    uv = in_uv;
#endif
#ifdef UV1
    uv1 = in_uv1;
#endif
    color = vec4(1.0);
#ifdef COLOR
    color = in_color;
#endif
    row = int(in_rest.x);
    uint bits = in_rest.y;
    tint = vec4(uvec4(bits, bits >> 8u, bits >> 16u, bits >> 24u) & 255u) / 255.0;
    tint.rgb = decode(tint.rgb);
    gl_Position = camera * vec4(world, 1.0);
}
