// Texels of an image: uv in texels from its page's top left corner; rect: the image on the page, u0 v0 u1 v1.

#ifdef FROM_TARGET
uniform sampler2D rish_pages;   // another target, bottom row first
#else
uniform sampler2DArray rish_pages;
#endif

vec4 rish_texel(vec2 uv, vec4 rect, float layer) {
    ivec2 low = ivec2(min(rect.xy, rect.zw)), high = ivec2(max(rect.xy, rect.zw) - 1.0);
#ifdef LINEAR
    vec2 size = vec2(textureSize(rish_pages, 0).xy);
    uv = clamp(uv, vec2(low) + 0.5, vec2(high) + 0.5) / size;
#ifdef FROM_TARGET
    return texture(rish_pages, vec2(uv.x, 1.0 - uv.y));
#else
    return texture(rish_pages, vec3(uv, layer));
#endif
#else
    ivec2 at = clamp(ivec2(floor(uv)), low, high);
#ifdef FROM_TARGET
    return texelFetch(rish_pages, ivec2(at.x, textureSize(rish_pages, 0).y - 1 - at.y), 0);
#else
    return texelFetch(rish_pages, ivec3(at, int(layer)), 0);
#endif
#endif
}
