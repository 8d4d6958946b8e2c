"""Converts particles into batches and lights."""
