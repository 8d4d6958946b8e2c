"""From the tree of widgets to paintings."""
