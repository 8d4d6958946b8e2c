"""The commands `rish host` and `rish join`."""
