// Sixteen bytes per sprite, see rish_frame.frame.instances.

in uvec4 instance;

uniform float unit;

// Cosine and sine of an angle in 1/65536 of a turn: exact at the quarters, and equal on all graphics cards.
vec2 direction(int turn) {
    int quarter = (turn + 8192) >> 14;
    float t = float(turn - (quarter << 14)) * (6.283185307179586 / 65536.0);
    float s = t * t;
    float sine = t * (1.0 + s * (-1.0 / 6.0 + s * (1.0 / 120.0 - s / 5040.0)));
    float cosine = 1.0 + s * (-0.5 + s * (1.0 / 24.0 + s * (-1.0 / 720.0 + s / 40320.0)));
    vec2 d = (quarter & 1) == 0 ? vec2(cosine, sine) : vec2(-sine, cosine);
    return (quarter & 2) == 0 ? d : -d;
}

void main() {
    ivec2 at = ivec2(int(instance.x) << 16, int(instance.x)) >> 16;
    vec2 size = vec2(instance.y & 0xFFFFu, instance.y >> 16) * (unit / 16.0);
    vec2 d = direction(int(instance.z & 0xFFFFu));
    vec2 across = turned(d * size.x), up = turned(vec2(-d.y, d.x) * size.y);
    show(across, up, shift + turned(vec2(at) * (unit / 8.0)), int(instance.z >> 16), instance.w);
}
