"""The contents of a camera's view: culled instances, lamps, clusters, as the arrays of batches."""
