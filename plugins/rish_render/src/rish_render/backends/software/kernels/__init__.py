"""Compiled loops over pixels, a file for each thing that is drawn."""
