"""The components, events and settings of the plugin."""
