"""The kernels of the software drawers.

Eight of them are called by Python: `place_corners`, `list_triangles`, `cover`, `shade_rows`, `resolve_depths`,
`sky_rows`, `develop_rows` and `draw_lines`. Forward, deferred and blended surfaces share one signature of each.

Compiled for the first time, all took 26 s of processor time on a busy machine of 2.5 GHz (2026-11-27): shading 15,
corners, triangles and visibility 8, the sky 2, the rest 1. Shading calls all its steps from one place, because LLVM
optimises what is called again at each level of calls. The list `kernels.txt` spreads the work over the cores.
"""
