"""Text: turns a string into glyphs on the screen.

`rish_frame.paint.writing` removes the markup from a text, splits it into the pieces that are drawn as one image,
computes the order of right-to-left writing, and decides where a line may end. `coverage` and `faces` find a font that
has the character; `glyphs` draws it into the atlas.
"""
