"""Games that are edited: their text in memory, all scenes, settings, and games that are only partly understood."""
