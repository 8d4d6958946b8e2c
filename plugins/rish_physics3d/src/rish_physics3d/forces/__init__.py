"""What moves bodies from outside: forces, explosions, areas, teleports and characters."""
