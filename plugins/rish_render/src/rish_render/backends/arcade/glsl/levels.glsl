// For every fragment shader: colours in whole levels, so that blending rounds as the software backend does.

uniform float rish_levels; // 255 for eight bits, more for targets of floats
uniform float rish_covers; // 1 where what has nothing for a channel is black there, 0 where it leaves it alone

vec4 in_levels(vec4 colour) { return floor(colour * rish_levels + 0.5) / rish_levels; }
