// Eight numbers per sprite: a b c d, then tx ty from the batch's origin, frame, color.

in uvec4 sides;
in uvec4 rest;

void main() {
    if (broken(sides) || broken(rest.x) || broken(rest.y)) { gl_Position = NOWHERE; return; }
    vec4 m = uintBitsToFloat(sides);
    show(turned(m.xy), turned(m.zw), shift + turned(uintBitsToFloat(rest.xy)), int(rest.z), rest.w);
}
