"""The commands `rish sweep` and `rish tournament`."""
