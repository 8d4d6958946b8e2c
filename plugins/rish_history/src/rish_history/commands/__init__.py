"""The commands of rish_history: `rish record`, `rish replay` and `rish migrate`."""
