"""Global illumination in two dimensions: what glows lights the scene, and walls block light and throw it back once."""
