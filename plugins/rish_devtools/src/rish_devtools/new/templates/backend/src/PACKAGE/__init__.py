"""TITLE for Rish: a backend that draws a game as an SVG document."""

from .backend import CLASS

__all__ = ["CLASS"]
