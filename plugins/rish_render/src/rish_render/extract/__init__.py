"""Extraction: converts component columns to the batches of a frame."""
