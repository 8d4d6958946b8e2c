"""User interfaces for players: widgets as entities, flexible layout, themes, translations, screens."""
