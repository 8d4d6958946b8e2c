"""The sub-commands of `rish`, a module each, imported when it is called."""
