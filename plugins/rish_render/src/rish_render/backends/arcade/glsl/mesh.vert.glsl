// Triangles in 3D space, for any camera.

in vec3 position;
in vec4 color;
in vec2 uv;

uniform vec2 resolution;
uniform mat4 camera;       // from the space to the target, including the viewport's position

out vec4 tint;
out vec2 at;

const vec2 NUDGE = vec2(-1.0, 1.0) / 128.0;   // a 256th of a pixel, see place.glsl, in halves of the target

void main() {
    gl_Position = camera * vec4(position, 1.0);
    gl_Position.xy += NUDGE / resolution * gl_Position.w;
    tint = vec4(color.rgb * color.a, color.a);
    at = uv;
}
