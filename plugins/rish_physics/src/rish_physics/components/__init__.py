"""What physics keeps in the World: components, settings, tables, and what leads from one to the other."""
