"""The calls of script methods: registry of scripts, lifecycle, events, systems."""
