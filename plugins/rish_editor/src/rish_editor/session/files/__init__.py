"""Files of a game: opening them, copies for the case of a crash, pictures of them, and other programs."""
