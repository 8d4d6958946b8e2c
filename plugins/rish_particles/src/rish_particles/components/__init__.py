"""The data of particles in the World: emitters, settings, and pools in tables."""
