"""The panels that show the world: the scene and the game."""
