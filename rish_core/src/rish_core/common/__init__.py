"""What plugins meet in: transforms, names, and the neutral tables of edges, masks and light points."""
