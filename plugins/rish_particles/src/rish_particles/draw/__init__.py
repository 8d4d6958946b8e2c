"""From particles to batches and to lights."""
