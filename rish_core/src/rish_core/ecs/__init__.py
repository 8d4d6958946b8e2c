"""What is: entities, their components, and the World that holds all state."""
