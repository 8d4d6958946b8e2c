"""Drawers: how light gets onto the targets of each backend; one module for each kind of batch."""
