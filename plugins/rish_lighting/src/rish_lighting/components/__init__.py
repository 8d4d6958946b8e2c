"""The components for lights, ambient light and occluders, and the settings of lighting."""
