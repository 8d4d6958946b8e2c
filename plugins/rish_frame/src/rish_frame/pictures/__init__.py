"""Pictures as files: reading them, where they are solid, and captures of what was drawn."""
