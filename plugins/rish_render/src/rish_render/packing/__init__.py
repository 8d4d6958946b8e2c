"""Many things in one order: sprites packed to sixteen bytes each, drawables cut into batches."""
