"""The kinds of widgets: how each is measured, painted and operated."""
