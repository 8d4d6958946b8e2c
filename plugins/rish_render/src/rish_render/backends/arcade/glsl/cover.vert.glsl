// One edge of a polygon: the pixels to its right, within the polygon's box, y down.

in vec4 ends;              // x0 y0 x1 y1, pixels of the box
in vec4 box;               // the box in the coverage texture: x y, width, height

uniform vec2 resolution;

flat out vec4 edge;
flat out vec2 place;

void main() {
    vec2 low = floor(min(ends.xy, ends.zw)), high = ceil(max(ends.xy, ends.zw));
    vec2 from = clamp(low, vec2(0.0), box.zw), to = vec2(box.z, clamp(high.y, 0.0, box.w));
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    edge = ends;
    place = box.xy;
    gl_Position = vec4((box.xy + mix(from, to, corner)) / resolution * 2.0 - 1.0, 0.0, 1.0);
}
