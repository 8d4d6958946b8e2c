// Draws a picture in linear light over the target.
uniform sampler2D ground;
out vec4 drawn;

void main() { drawn = texelFetch(ground, ivec2(gl_FragCoord.xy), 0); }
