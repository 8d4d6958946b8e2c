"""What pushes and places bodies: forces, areas, characters, teleports."""
