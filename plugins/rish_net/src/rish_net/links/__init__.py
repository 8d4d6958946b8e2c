"""How packets travel: links between two peers."""
