"""A frame before anything is drawn: layers, cameras, views, passes, and what stays from the last frame."""
