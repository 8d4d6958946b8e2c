"""Kernels that are compiled before they are called: lists, worker processes, bundles."""
