layout(std140) uniform View {
    mat4 camera;
    mat4 view;
    mat4 projection;
    mat4 back;
    vec4 viewport;
};

vec3 ray_of(vec2 clip) {
    return vec3((clip.x + projection[2][0]) / projection[0][0], (clip.y + projection[2][1]) / projection[1][1], -1.0);
}
vec3 backwards() { return vec3(view[0][2], view[1][2], view[2][2]); }
