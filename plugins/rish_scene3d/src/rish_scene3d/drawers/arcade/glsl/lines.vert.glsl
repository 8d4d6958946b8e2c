layout(location = 0) in vec3 in_start;
layout(location = 1) in vec3 in_end;
layout(location = 2) in float in_width;
layout(location = 3) in vec4 in_color;
layout(location = 4) in float in_hidden;
uniform float dimmed;
out vec4 color;
flat out float covers;
noperspective out float across;

vec4 before_near(vec4 a, vec4 b) {
    float da = a.z + a.w, db = b.z + b.w;
    return da >= 0.0 ? a : mix(a, b, da / (da - db));
}

void main() {
    vec4 a = camera * vec4(in_start, 1.0), b = camera * vec4(in_end, 1.0);
    bool gone = (a.z + a.w < 0.0 && b.z + b.w < 0.0) || (dimmed > 0.0 && in_hidden > 0.5);
    vec4 start = before_near(a, b), end = before_near(b, a);
    vec2 from = start.xy / start.w * viewport.zw * 0.5, to = end.xy / end.w * viewport.zw * 0.5;
    vec2 along = to - from;
    along = length(along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
    float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0, wide = max(in_width, 1.0) * 0.5 + 0.5;
    vec4 here = gl_VertexID < 2 ? start : end;
    vec2 out_of = vec2(-along.y, along.x) * side * wide + along * (gl_VertexID < 2 ? -0.5 : 0.5);
    here.xy += out_of / (viewport.zw * 0.5) * here.w;
    gl_Position = gone ? vec4(2.0, 2.0, 2.0, 1.0) : here;
    across = side * wide;
    covers = max(in_width, 1.0) * 0.5 + 0.5;
    color = vec4(decode(in_color.rgb), in_color.a * (dimmed > 0.0 ? dimmed : 1.0) * min(in_width, 1.0));
}
