vec3 shaded(Surface s, vec3 point, vec2 at) {
    float depth = -dot(vec4(view[0][2], view[1][2], view[2][2], view[3][2]), vec4(point, 1.0));
    bool flat_view = ORTHOGRAPHIC > 0.5;
    vec3 to_eye = flat_view ? backwards() : normalize(EYE - point);
    vec3 light = vec3(0.0);
#ifdef UNLIT
    if (s.model == 2) light = s.base;
    else {
#endif
#if defined(PBR) || defined(PHONG)
#ifdef PBR
    Gloss g = gloss(s.base, s.metallic, s.roughness);
#endif
#ifdef PHONG
    if (s.model == 1) light = s.base * ambient_light(s.normal);
#ifdef PBR
    else light = environment(g, s, to_eye);
#endif
#else
    light = environment(g, s, to_eye);
#endif
    light *= s.occlusion * AMBIENT_STRENGTH;
#ifdef SUNS
    for (int k = 0; k < SUNS; k++) {
        vec3 to_light = -SUN_AXIS(k);
        if (dot(s.normal, to_light) <= 0.0) continue;
        vec3 part;
#ifdef PHONG
        if (s.model == 1) part = phong(s, to_eye, to_light);
#ifdef PBR
        else part = reflected(g, s.normal, to_eye, to_light);
#endif
#else
        part = reflected(g, s.normal, to_eye, to_light);
#endif
        part *= SUN_COLOR(k);
#ifdef SUN_SHADOWS
        if (s.shaded && SUN_MAP(k) >= 0) part *= sun_share(k, point, s.flat_normal, depth);
#endif
        light += part;
    }
#endif
#ifdef LAMPS
    int cluster = 2 * cluster_of(at, depth), first = cluster_number(cluster), count = cluster_number(cluster + 1);
    for (int k = first; k < first + count; k++) {
        int i = cluster_number(k);
        vec3 to_light, part = lamp_light(i, point, to_light);
        if (dot(s.normal, to_light) <= 0.0 || part == vec3(0.0)) continue;
#ifdef PHONG
        if (s.model == 1) part *= phong(s, to_eye, to_light);
#ifdef PBR
        else part *= reflected(g, s.normal, to_eye, to_light);
#endif
#else
        part *= reflected(g, s.normal, to_eye, to_light);
#endif
#ifdef LAMP_SHADOWS
        if (s.shaded && lamp(i, 3).x >= 0.0) part *= lamp_share(i, point, s.flat_normal);
#endif
        light += part;
    }
#endif
#endif
#ifdef UNLIT
    }
#endif
    light += s.emitted;
#ifdef FOG
    light = fogged(light, clear_share(flat_view ? point + to_eye * depth : EYE, point));
#endif
    return light * EXPOSURE;
}
