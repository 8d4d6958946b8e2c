"""Panels: images in nine parts, whose corners keep their size."""
