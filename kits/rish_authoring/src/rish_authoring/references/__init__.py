"""Which files of a game name which others: finding the uses of a file, and moving it with all of them."""
