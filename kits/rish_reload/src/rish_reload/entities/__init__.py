"""Changes of the entities that were spawned from a text or have the defaults of code."""
