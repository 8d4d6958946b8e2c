"""Themes: the colours, fonts, spacings and states of widgets, read from YAML."""
