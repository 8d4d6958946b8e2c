"""The kernels of the software drawers.

Eight of them are called by Python: `place_corners`, `list_triangles`, `cover`, `shade_rows`, `resolve_depths`,
`sky_rows`, `develop_rows` and `draw_lines`. Forward, deferred and blended surfaces share one signature of each.

Compiled for the first time, all took 23 s of processor time on a busy machine of 2.5 GHz (2026-11-27): shading 12,
corners, triangles and visibility 8, the sky 2, the rest 1. Each statement takes 1.3 ms, a kernel of its own 0.03 s, so
helpers have `forceinline`: with `inline="always"` their statements are typed again wherever they are called, and all
took 26 s. Shading calls all its steps from one place, because LLVM optimizes what is called again at each level of
calls. A helper gets counts from modules or loops, as numba compiles it once more for each whole number in its call.
The list `kernels.txt` spreads the work over the cores.
"""
