"""Builds a program of files with PyInstaller."""
