"""Maps written in plain text, from YAML to a `GameMap`."""
