"""What themes and translations have in common: files of the game that take effect while it runs."""
