"""Paintings: flat pictures made of boxes, images, lines and texts, and the interface of the code that sets texts."""
