"""Importer of LDtk levels for Rish."""
