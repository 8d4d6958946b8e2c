// Packs a sprite into sixteen bytes, with the rounding of rish_frame's pack_sprites.
//
// at, size: in the units of the batch, `at` relative to its origin. rotation: radians, counter-clockwise. frame: row of
// the frame table. rgba: straight, 0 to 1. A sprite with NaN in it gets size 0.
uvec4 sprite(vec2 at, vec2 size, float rotation, uint frame, vec4 rgba) {
    bool broken = any(isnan(at)) || any(isnan(size)) || isnan(rotation);
    if (broken) {
        at = mix(at, vec2(-4096.0), isnan(at));
        size = vec2(0.0, isnan(size.y) ? 0.0 : size.y);
        rotation = isnan(rotation) ? 0.0 : rotation;
    }
    ivec2 place = ivec2(clamp(floor(at * 8.0 + 0.5), -32768.0, 32767.0));
    uvec2 extent = uvec2(clamp(floor(size * 16.0 + 0.5), 0.0, 65535.0));
    int turn = int(floor(mod(rotation, 6.283185307179586) * (65536.0 / 6.283185307179586) + 0.5));
    uvec4 color = uvec4(clamp(floor(rgba * 255.0 + 0.5), 0.0, 255.0));
    return uvec4(
        uint(place.x & 0xFFFF) | uint(place.y) << 16,
        extent.x | extent.y << 16,
        uint(turn & 0xFFFF) | frame << 16,
        color.x | color.y << 8 | color.z << 16 | color.w << 24
    );
}
