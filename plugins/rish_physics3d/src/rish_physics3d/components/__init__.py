"""Components, events, settings and tables of physics in space."""
