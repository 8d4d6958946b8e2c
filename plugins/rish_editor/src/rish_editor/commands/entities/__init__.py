"""Commands that create, change and select entities."""
