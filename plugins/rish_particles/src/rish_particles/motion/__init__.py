"""What moves living particles: what a step takes, and edges that they hit."""
