"""The kinds of visible things, one folder each; the file `kind.py` in it registers the kind, see `DrawableKind`."""
