"""The panels of the settings of the editor and of its shortcuts."""
