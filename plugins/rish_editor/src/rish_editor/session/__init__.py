"""The state of the editor, without widgets."""
