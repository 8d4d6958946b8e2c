"""Tools for making games: the debug view, the flying camera, and what the editor shows of 3D scenes."""
