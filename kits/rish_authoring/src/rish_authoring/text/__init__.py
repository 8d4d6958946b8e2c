"""Manifests as text: edits keep comments, order and layout."""
