"""The synthesiser: sounds from parameters, tunes from notes."""
