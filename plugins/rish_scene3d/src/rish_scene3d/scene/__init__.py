"""What a camera sees: culled instances, lamps, clusters, as the arrays of batches."""
