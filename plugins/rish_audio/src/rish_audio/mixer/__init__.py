"""The mixer: from blocks to samples."""
