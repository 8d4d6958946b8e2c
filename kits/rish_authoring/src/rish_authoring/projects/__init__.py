"""Projects: a game that is edited, with its text in memory, its files, and its mistakes."""
