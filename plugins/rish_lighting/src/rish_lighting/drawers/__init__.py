"""The drawers of light for each backend; one module for each kind of batch."""
