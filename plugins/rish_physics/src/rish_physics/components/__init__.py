"""The data that physics keeps in the World: components, settings, solver tables, and the links between them."""
