"""The tree of widgets, made from the World, and what is not state: focus, hover, scrolling."""
