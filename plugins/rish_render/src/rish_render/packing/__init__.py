"""Packs sprites into sixteen bytes each, and sorts drawables of all kinds into one order and cuts it into batches."""
