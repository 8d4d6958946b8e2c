"""The broad phase: finds the shapes whose AABBs overlap."""
