// Moves each bird by a step: away from those that are too near, in the direction and towards the middle of those in reach.
// `birds` has x y and the velocity of each bird; `flown` is the same after the step.

vec2 cut(vec2 v, float most) {
    float size = length(v);
    return size > most ? v * (most / size) : v;
}

// By direction: gold towards the sun, then rose, violet and blue; brighter in a crowd.
vec4 color(vec2 way, float crowd) {
    vec3 wave = 0.5 + 0.5 * cos(atan(way.y, way.x) + vec3(0.5, 1.4, 3.0));
    vec3 light = mix(vec3(0.42, 0.40, 0.72), vec3(1.0, 0.86, 0.98), wave);
    return vec4(light * mix(0.72, 1.0, clamp(crowd / 16.0, 0.0, 1.0)), 1.0);
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= threads.x) return;
    vec2 at = birds[i].xy, way = birds[i].zw;
    vec2 apart = vec2(0.0), middle = vec2(0.0), along = vec2(0.0);
    float near = 0.0;
    ivec2 grid = ivec2(cells), here = ivec2(links[i].y % grid.x, links[i].y / grid.x);
    for (int y = max(here.y - 1, 0); y <= min(here.y + 1, grid.y - 1); y++) {
        for (int x = max(here.x - 1, 0); x <= min(here.x + 1, grid.x - 1); x++) {
            for (int j = heads[y * grid.x + x]; j >= 0; j = links[j].x) {
                vec2 d = birds[j].xy - at;
                float gap = length(d);
                if (gap >= reach || gap == 0.0) continue;
                near += 1.0;
                middle += d;
                along += birds[j].zw;
                apart -= d / gap * max(1.0 - gap / room, 0.0);
            }
        }
    }
    vec2 push = 700.0 * apart;
    if (near > 0.0) push += 2.2 * (along / near - way) + 5.0 * middle / near;
    vec2 from = at - falcon.xy;
    float far = length(from);
    push += from / max(far, 1.0) * falcon.z * max(1.0 - far / falcon.w, 0.0);
    push += 0.5 * (home - at) + 14.0 * (max(low - at, 0.0) - max(at - high, 0.0));
    float self = fract(float(i) * 0.618034);
    float wander = sin(time * (1.0 + 2.0 * self) + 40.0 * self);
    push += 45.0 * wander * vec2(-way.y, way.x) / max(length(way), 1.0);
    way += cut(push, 620.0) * dt;
    float speed = max(length(way), 1.0);
    way *= clamp(speed, 65.0 + 30.0 * self, 130.0 + 40.0 * self) / speed;
    at += way * dt;
    flown[i] = vec4(at, way);
    uint beat = uint(fract(time * 5.0 + self * 7.0) * 4.0);
    vec2 size = wing * (0.75 + 0.5 * self) * 4.0;
    sprites[i] = sprite((at - view) * 4.0, size, atan(way.y, way.x), uint(frames[beat]), color(way, near));
}
