in vec4 colour;
flat in float covers;
noperspective in float across;
layout(location = 0) out vec4 result;

void main() {
    float alpha = colour.a * clamp(covers - abs(across), 0.0, 1.0);
    result = vec4(colour.rgb * alpha, alpha);
}
