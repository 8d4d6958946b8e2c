// For every fragment shader: colours in whole levels, so that blending rounds as the software backend does.

uniform float rish_levels; // 255 for eight bits, more for targets of floats

vec4 in_levels(vec4 colour) { return floor(colour * rish_levels + 0.5) / rish_levels; }
