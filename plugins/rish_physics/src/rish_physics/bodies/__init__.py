"""Converts the columns of bodies and colliders to slots of the solver."""
