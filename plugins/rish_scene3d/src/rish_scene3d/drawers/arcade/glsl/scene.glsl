layout(std140) uniform Light {
    vec4 scene[5];
    vec4 ambient[9];
    vec4 suns[68];
    vec4 albedo_rows[96];
};
#define EYE scene[0].xyz
#define EXPOSURE scene[0].w
#define FOG_COLOR scene[1].rgb
#define FOG_DENSITY scene[1].w
#define FOG_BASE scene[2].x
#define FOG_FALL scene[2].y
#define SKY_TURN scene[2].z
#define NEAR scene[2].w
#define FAR scene[3].x
#define AMBIENT_STRENGTH scene[3].y
#define ORTHOGRAPHIC scene[3].z
#define DISC scene[3].w
#define STARS scene[4].x
#define SKY_LIGHT scene[4].y
#define SUN_AXIS(k) suns[17 * (k)].xyz
#define SUN_MAP(k) SUN_MAPS[k]
#define SUN_COLOR(k) suns[17 * (k) + 1].rgb
#define SUN_CASCADES(k) int(suns[17 * (k) + 1].w)
#define SUN_SIZE(k) suns[17 * (k) + 2].x
#define SUN_BIAS(k) suns[17 * (k) + 2].y
#define SUN_FADE(k) suns[17 * (k) + 2].z

vec3 turned(vec3 d, float angle) {
    float c = cos(angle), s = sin(angle);
    return vec3(c * d.x - s * d.z, d.y, s * d.x + c * d.z);
}

float clear_share(vec3 eye, vec3 point) {
    vec3 way = point - eye;
    float size = length(way), rise = FOG_FALL * way.y;
    float start = exp(-clamp(FOG_FALL * (eye.y - FOG_BASE), -40.0, 40.0));
    float safe = abs(rise) < 1e-3 ? 1.0 : clamp(rise, -40.0, 40.0);
    float mean = abs(rise) < 1e-3 ? 1.0 - rise / 2.0 : (1.0 - exp(-safe)) / safe;
    return exp(-min(FOG_DENSITY * start * mean * size, 80.0));
}

vec3 fogged(vec3 light, float share) { return light * share + FOG_COLOR * (1.0 - share); }
