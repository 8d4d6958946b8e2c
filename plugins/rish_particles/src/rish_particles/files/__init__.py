"""Preset files: reading with located mistakes, writing, importing from the seed engine, loading once."""
