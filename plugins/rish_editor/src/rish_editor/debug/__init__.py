"""The interface for developers in a running game, with `rish run GAME --debug`."""
