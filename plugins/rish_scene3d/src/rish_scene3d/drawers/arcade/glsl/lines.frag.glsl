in vec4 color;
flat in float covers;
noperspective in float across;
layout(location = 0) out vec4 result;

void main() {
    float alpha = color.a * clamp(covers - abs(across), 0.0, 1.0);
    result = vec4(color.rgb * alpha, alpha);
}
