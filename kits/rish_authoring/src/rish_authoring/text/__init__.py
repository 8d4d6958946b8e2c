"""Manifests as text that can be edited without losing comments, order and layout."""
