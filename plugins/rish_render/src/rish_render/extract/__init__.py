"""From columns to batches: what each kind of thing looks like in this frame."""
