// For every fragment shader: rounds colors to levels, so that blending gives the results of the software backend.

uniform float rish_levels; // 255 for 8-bit targets, more for float targets
uniform float rish_covers; // 1: an image without a channel is black in it; 0: it does not change it

vec4 in_levels(vec4 color) { return floor(color * rish_levels + 0.5) / rish_levels; }
