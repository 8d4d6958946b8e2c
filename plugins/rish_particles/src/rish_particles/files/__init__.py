"""Presets in files: read with located mistakes, written, imported from the seed engine, loaded once."""
