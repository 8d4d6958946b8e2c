"""The formulas of light: reflection, sky, fog, and the plain form that all drawers are compared with."""
