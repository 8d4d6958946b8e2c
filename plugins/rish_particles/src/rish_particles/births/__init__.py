"""The sources of particles: emitters, `emit`, reactions to events."""
