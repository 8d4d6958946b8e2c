"""Named sounds of a game, and the clips that they are made of."""
