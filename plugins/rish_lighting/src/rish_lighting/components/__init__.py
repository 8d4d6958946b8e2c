"""What shines, what is bright everywhere, what casts shadows, and the settings of light."""
