"""The synthesizer: sounds from parameters, tunes from notes."""
