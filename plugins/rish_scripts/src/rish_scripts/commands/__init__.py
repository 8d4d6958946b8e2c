"""The commands that rish_scripts adds to `rish`."""
