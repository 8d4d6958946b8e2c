"""The tree of entities in tools: the order of siblings, changes of structure, and copies."""
