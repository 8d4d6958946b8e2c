"""The painters of Lantern's images; the game itself does not import them."""
