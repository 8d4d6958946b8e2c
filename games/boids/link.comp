// Puts each bird into the list of its cell: `heads` has the first bird of each cell, `links` the next bird and the cell.

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= threads.x) return;
    ivec2 place = clamp(ivec2(floor(birds[i].xy / reach)), ivec2(0), ivec2(cells) - 1);
    int cell = place.y * int(cells.x) + place.x;
    links[i] = ivec2(atomicExchange(heads[cell], int(i)), cell);
}
