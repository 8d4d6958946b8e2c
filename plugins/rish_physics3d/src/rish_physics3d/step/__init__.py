"""The system of physics, and the memory of its solver."""
