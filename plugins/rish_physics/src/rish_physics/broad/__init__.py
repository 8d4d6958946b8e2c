"""The broad phase: which shapes may touch at all."""
