"""The setup of a frame before drawing: layers, cameras, views, passes, and what is kept from the last frame."""
