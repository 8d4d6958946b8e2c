// Empties the list of each cell.

void main() {
    if (gl_GlobalInvocationID.x < threads.x) heads[gl_GlobalInvocationID.x] = -1;
}
