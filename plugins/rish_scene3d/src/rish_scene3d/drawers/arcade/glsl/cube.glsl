int face_of(vec3 way, out vec2 place, out float depth) {
    vec3 a = abs(way);
    int face;
    if (a.x >= a.y && a.x >= a.z) {
        face = way.x >= 0.0 ? 0 : 1;
        depth = a.x;
        place = vec2(way.x >= 0.0 ? way.z : -way.z, way.y);
    } else if (a.y >= a.z) {
        face = way.y >= 0.0 ? 2 : 3;
        depth = a.y;
        place = vec2(way.x, way.y >= 0.0 ? way.z : -way.z);
    } else {
        face = way.z >= 0.0 ? 4 : 5;
        depth = a.z;
        place = vec2(way.z >= 0.0 ? -way.x : way.x, way.y);
    }
    depth = max(depth, 1e-12);
    place /= depth;
    return face;
}
