"""The tree of widgets, built from the World, and data that is not state: focus, hover, scrolling."""
