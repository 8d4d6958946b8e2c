"""Writing: what stands between a string and the letters on the screen.

`markup` takes colours out of a text, `clusters` cuts it into what is drawn as one piece, `bidi` finds the order of
those that are written from right to left, `breaking` says where a line may end. `coverage` and `faces` find a font that
has the character; `glyphs` draws it into the atlas.
"""
