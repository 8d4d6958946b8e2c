// Shared by sprites and wide sprites: an image on a parallelogram.

uniform int rish_frames;   // rows of the frame table

flat out vec4 rish_inverse;
flat out vec2 rish_center;
flat out vec4 rish_tint;
flat out float rish_alpha; // 0 if the image adds light
OUTPUTS

const int FRAMES_A_ROW = 256;

vec4 entry(sampler2D table, int frame, int part) {
    return texelFetch(table, ivec2(frame % FRAMES_A_ROW * 2 + part, frame / FRAMES_A_ROW), 0);
}

// across, up: sides of the parallelogram, pixels.
void show(vec2 across, vec2 up, vec2 center, int frame, uint rgba) {
    float area = area_of(across, up);
    gl_Position = NOWHERE;
    if (frame >= rish_frames || !(abs(area) >= 1e-9)) return;
    bool any_there = false;
    LOOKUPS
    if (!any_there) return;
    rish_inverse = inverse_of(across, up, area);
    rish_center = center;
    rish_tint = premultiplied(bytes(rgba));
    vec2 at = corner();
    gl_Position = on_target(center + across * at.x + up * at.y);
}
