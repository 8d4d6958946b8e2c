"""Commands that `rish` gets with this package."""
