"""Translations: texts by key in several languages."""
