"""What the author wrote: guarded YAML, the manifest and its check, prefabs, scenes and spawning."""
