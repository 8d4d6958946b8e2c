"""Forces, explosions, areas and teleports: code that pushes and places bodies."""
