"""Materials: fragment shaders that a game names in its manifest, and the fallbacks that replace them without GL."""
