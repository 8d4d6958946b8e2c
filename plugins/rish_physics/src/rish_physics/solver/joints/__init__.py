"""Joints, a file a kind."""
