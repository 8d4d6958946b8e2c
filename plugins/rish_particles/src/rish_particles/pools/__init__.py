"""Pools of particles: spans of the tables, and the numbers that kernels take."""
