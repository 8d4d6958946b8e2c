"""A tree of axis-aligned boxes that finds what rays hit and what regions touch.

`Bvh` is the class; the modules below it are its kernels (`building`, `casting`, `regions`) and the same in numpy
(`reference`), which is used for little work and as the reference of tests.
"""
