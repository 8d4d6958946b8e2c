"""The drawers for the backend `software`: a buffer of triangle numbers, then shading of eight pixels at a time."""
