"""The host: the choice of a backend, and the part of the loop that draws."""
