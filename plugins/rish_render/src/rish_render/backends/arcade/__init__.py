"""The `arcade` backend: OpenGL through arcade.gl, in a window of pyglet's or off screen."""
