"""The tree of entities as tools show and change it: the order of siblings, structure, copies."""
