"""Changes entities after an edit of the manifest or of defaults in code."""
