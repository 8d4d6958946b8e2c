"""Materials: fragment shaders that a game names in its manifest, and what stands in for them without GL."""
