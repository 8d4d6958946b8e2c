"""The client for scripts and notebooks."""
