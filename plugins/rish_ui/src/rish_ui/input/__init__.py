"""From events of the window to commands on widgets, and from commands to state and events."""
