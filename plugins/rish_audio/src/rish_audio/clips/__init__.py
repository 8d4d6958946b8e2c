"""Sound files: information, decoding, streams."""
