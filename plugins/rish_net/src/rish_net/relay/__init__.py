"""A relay forwards the encrypted packets of players who cannot reach each other."""
