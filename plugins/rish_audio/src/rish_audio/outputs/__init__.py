"""Where samples go: a sound card, a file, memory, nowhere."""
