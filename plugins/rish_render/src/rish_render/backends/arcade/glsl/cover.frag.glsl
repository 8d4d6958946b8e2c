// The area of a pixel to the right of an edge; the sign depends on the direction of the edge. The sum over all edges of
// a polygon is the exact area of the pixel that it covers.

flat in vec4 edge;
flat in vec2 place;

out float covered;

// The integral of clamp(u, 0, 1).
float sum_to(float u) { return u <= 0.0 ? 0.0 : u >= 1.0 ? u - 0.5 : 0.5 * u * u; }

void main() {
    vec2 pixel = floor(gl_FragCoord.xy - place);
    vec4 e = edge.y <= edge.w ? edge : edge.zwxy;
    float top = max(e.y, pixel.y), bottom = min(e.w, pixel.y + 1.0);
    float part = bottom - top;
    if (part <= 0.0) discard;
    float slope = (e.z - e.x) / (e.w - e.y);
    float low = min(e.x, e.z), high = max(e.x, e.z);
    float a = pixel.x + 1.0 - clamp(e.x + slope * (top - e.y), low, high);
    float b = pixel.x + 1.0 - clamp(e.x + slope * (bottom - e.y), low, high);
    float mean = abs(a - b) < 1e-3 ? clamp(0.5 * (a + b), 0.0, 1.0) : (sum_to(a) - sum_to(b)) / (a - b);
    covered = edge.y <= edge.w ? part * mean : -part * mean;
}
