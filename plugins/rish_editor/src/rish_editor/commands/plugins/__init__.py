"""Commands that switch on plugins of the game."""
