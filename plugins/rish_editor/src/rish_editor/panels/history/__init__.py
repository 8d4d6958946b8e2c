"""The panels of the steps that can be undone, and of the changes of a run."""
