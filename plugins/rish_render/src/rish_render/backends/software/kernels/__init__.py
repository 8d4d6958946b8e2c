"""Compiled loops over pixels. There is one file for each thing that is drawn."""
