"""Forces, characters, integrators and teleports: code that pushes and places bodies."""
