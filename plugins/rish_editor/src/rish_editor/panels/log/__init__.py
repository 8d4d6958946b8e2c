"""The panels of messages: the log, mistakes in files, and the console."""
