struct Surface {
    vec3 base;
    float alpha;
    vec3 emitted;
    float occlusion;
    vec3 flat_normal;
    vec3 normal;
    float metallic;
    float roughness;
    int model;
    bool shaded;
};
