"""Watches the files of themes and translations, whose edits take effect while the game runs."""
