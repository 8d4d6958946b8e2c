"""Dialogues for Rish."""
