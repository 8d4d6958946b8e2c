"""What is declared: columns and their types, components, resources, systems."""
