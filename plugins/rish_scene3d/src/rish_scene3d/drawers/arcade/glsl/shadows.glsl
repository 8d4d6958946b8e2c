#ifdef SHADOWS
vec3 spread(float part) {
    return vec3(0.5 * (1.0 - part) * (1.0 - part), 0.5 + part * (1.0 - part), 0.5 * part * part);
}

float lit_share(int map, vec2 at, float depth, int first, int side) {
    at = clamp(at, 0.0, float(side));
    ivec2 cell = ivec2(min(floor(at), float(side - 1)));
    vec3 across = spread(at.x - float(cell.x)), up = spread(at.y - float(cell.y));
    float total = 0.0;
    for (int dy = 0; dy < 3; dy++) {
        int y = clamp(cell.y + dy - 1, 0, side - 1);
        for (int dx = 0; dx < 3; dx++) {
            int x = first + clamp(cell.x + dx - 1, 0, side - 1);
            total += depth <= map_texel(map, ivec2(x, y)) ? across[dx] * up[dy] : 0.0;
        }
    }
    return total;
}

#ifdef SUN_SHADOWS
float sun_share(int k, vec3 point, vec3 flat_normal, float depth) {
    int count = SUN_CASCADES(k), side = int(SUN_SIZE(k)), first = 17 * k;
    vec4 ends = suns[first + 3], texels = suns[first + 4];
    int chosen = 0;
    for (int c = 0; c < 3; c++) chosen += c < count - 1 && depth > ends[c] ? 1 : 0;
    vec4 moved = vec4(point + flat_normal * (SUN_BIAS(k) * texels[chosen]), 1.0);
    int row = first + 5 + 3 * chosen;
    vec3 at = vec3(dot(suns[row], moved), dot(suns[row + 1], moved), dot(suns[row + 2], moved));
    float share = lit_share(SUN_MAP(k), at.xy * float(side), min(at.z, 1.0), chosen * side, side);
    float last = ends[count - 1];
    float strength = clamp((last - depth) / max(SUN_FADE(k) * last, 1e-6), 0.0, 1.0);
    return 1.0 - strength * (1.0 - share);
}
#endif

#ifdef LAMP_SHADOWS
float lamp_share(int i, vec3 point, vec3 flat_normal) {
    vec4 head = lamp(i, 0), end = lamp(i, 3);
    float reach = head.w, side = end.z, offset = end.y * end.w;
    int first = 0;
    vec3 moved;
    vec2 at;
    if (lamp(i, 1).w > -1.0) {
        vec4 row_x = lamp(i, 4), row_y = lamp(i, 5), row_w = lamp(i, 7);
        float depth = dot(row_w, vec4(point, 1.0));
        moved = point + flat_normal * (offset * max(depth, 0.0));
        at = vec2(dot(row_x, vec4(moved, 1.0)), dot(row_y, vec4(moved, 1.0))) / max(dot(row_w, vec4(moved, 1.0)), 1e-6);
    } else {
        float depth, again;
        face_of(point - head.xyz, at, depth);
        moved = point + flat_normal * (offset * depth);
        first = face_of(moved - head.xyz, at, again) * int(side);
        at *= (side - 4.0) / side;
    }
    float far_part = min(length(moved - head.xyz) / reach, 1.0);
    return lit_share(int(end.x), (at * 0.5 + 0.5) * side, far_part, first, int(side));
}
#endif
#endif
