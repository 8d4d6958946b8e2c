"""What is shown: batches of things to draw, the passes that draw them, and the contract of a backend."""
