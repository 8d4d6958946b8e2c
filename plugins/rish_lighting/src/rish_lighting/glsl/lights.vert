// One instance per light, drawn as a fan of wedges. Each wedge ends where the light ends.

uniform vec4 linear;      // two columns: from units to clip space
uniform vec2 offset;      // the batch's origin in clip space
uniform vec2 back_offset; // pixel (0, 0), units from the batch's origin
uniform float margin;     // units: 1.5 pixels, so that no pixel center is missed between two wedges

uniform sampler2D rows;   // one light per row: its columns, then its reach in each wedge

// place.xy: from the light to pixel (0, 0)
flat out vec4 place, color, fall, axis, map_, strip;
flat out int wedge;

vec4 part_of(int number) {
    return texelFetch(rows, ivec2(number, gl_InstanceID), 0);
}

vec2 on_diamond(float u) {
    float y = u < 2.0 ? u - 1.0 : 3.0 - u;
    return vec2((1.0 - abs(y)) * (u < 2.0 ? 1.0 : -1.0), y);
}

void main() {
    place = part_of(0); color = part_of(1); fall = part_of(2); axis = part_of(3); map_ = part_of(4); strip = part_of(5);
    wedge = gl_VertexID / 3;
    int corner = gl_VertexID % 3;
    float far = part_of(6 + wedge / 4)[wedge % 4];
    vec2 d0 = on_diamond(float(wedge) * 4.0 / WEDGES), d1 = on_diamond(mod(float(wedge + 1) * 4.0 / WEDGES, 4.0));
    vec2 n0 = normalize(d0), n1 = normalize(d1), middle = normalize(n0 + n1);
    float cos_half = dot(n0, middle), sin_half = sqrt(max(1.0 - cos_half * cos_half, 0.0));
    vec2 a = far * d0, b = far * d1;
    float radius = place.z + (int(place.w) == 3 ? axis.z : 0.0);
    if (place.z > 0.0) {  // use the border of the disc if it is nearer
        float rim = radius / cos_half;
        if (rim * rim * (n0.x * n1.y - n0.y * n1.x) < far * far * (d0.x * d1.y - d0.y * d1.x)) {
            a = rim * n0;
            b = rim * n1;
        }
    }
    vec2 at = -middle * margin / sin_half;
    if (corner == 1) at = a + margin * (3.0 * n0 + vec2(n0.y, -n0.x));
    if (corner == 2) at = b + margin * (3.0 * n1 + vec2(-n1.y, n1.x));
    if (far <= 0.0) at = vec2(0.0);
    vec2 p = place.xy + at;
    gl_Position = vec4(linear.xy * p.x + linear.zw * p.y + offset, 0.0, 1.0);
    place.xy = back_offset - place.xy;
}
