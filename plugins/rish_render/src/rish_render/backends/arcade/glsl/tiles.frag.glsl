// A grid of images: computes the cell of the pixel, then the position in the cell's image.

uniform vec2 origin;       // pixels; the transform is exact near this point
uniform vec4 to_cell;      // a b c d: from pixels to columns and rows
uniform vec4 cell;         // column and row at `origin`: the fractions, then the integers
uniform usampler2D cells;
uniform sampler2D rish_table0;
uniform int rish_frames;
uniform vec4 tint;
uniform float keep_alpha;

OUTPUTS

const int FRAMES_A_ROW = 256;

vec4 entry(sampler2D table, int frame, int part) {
    return texelFetch(table, ivec2(frame % FRAMES_A_ROW * 2 + part, frame / FRAMES_A_ROW), 0);
}

void main() {
    vec2 away = gl_FragCoord.xy - origin;
    vec2 at = to_cell.xy * away.x + to_cell.zw * away.y + cell.xy;
    vec2 whole = floor(at);
    ivec2 place = ivec2(whole) + ivec2(cell.zw);
    if (any(lessThan(place, ivec2(0))) || any(greaterThanEqual(place, textureSize(cells, 0)))) discard;
    uint code = texelFetch(cells, place, 0).x;
    int frame = int(code & 0xFFFFFFu) - 1;
    if (frame < 0 || frame >= rish_frames) discard;
    vec4 rest = entry(rish_table0, frame, 1);
    if (rest.x < 0.0) discard;
    vec2 part = at - whole;
    if ((code & 0x80000000u) != 0u) part.x = 1.0 - part.x;
    if ((code & 0x40000000u) != 0u) part.y = 1.0 - part.y;
    if ((code & 0x20000000u) != 0u) part = part.yx;
    vec4 rect = entry(rish_table0, frame, 0);
    vec4 color = in_levels(rish_texel(rect.xy + part * (rect.zw - rect.xy), rect, rest.x) * tint);
    picture0 = color * vec4(1.0, 1.0, 1.0, keep_alpha * rest.y);
    CHANNELS
}
