"""What `rish_core.maths` is made of: `series` (shared steps), `numbers` (one number), `arrays` (many)."""
