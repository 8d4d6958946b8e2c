"""Where it is kept: entities, tables, events, texts, and what has changed."""
