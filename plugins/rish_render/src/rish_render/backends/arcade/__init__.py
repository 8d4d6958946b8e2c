"""The `arcade` backend: draws with OpenGL through arcade.gl, in a pyglet window or off screen."""
