"""The step of a tick: commands, sources, the pool of voices, buses."""
