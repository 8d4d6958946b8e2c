"""The painters of Lantern's pictures; the game itself has no need of them."""
