"""Source texts that are edited: their files, their unsaved changes, and copies of those."""
