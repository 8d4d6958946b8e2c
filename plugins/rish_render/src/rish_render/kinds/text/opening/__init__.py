"""The window before the game's first picture: it opens before the game is loaded, and shows the loading screen."""
