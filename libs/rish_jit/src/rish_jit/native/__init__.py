"""Machine code of kernels that runs without numba and LLVM: written by `emit`, stored by `rish_jit.cache`, loaded here.

A kernel that numba has compiled becomes a flat image (`code`): position independent instructions and data, the names of
the functions of Python and of the C library that it calls, and the places where addresses have to be filled in. Python
calls it through a function of its own, the entry (`entry`), which checks the types of the arguments, reads the arrays
and numbers out of the Python objects, and passes other arguments on: to the entry for other types, or to Python.

| module | contents |
|---|---|
| `code.py` | the machine code of a kernel, and its bytes in a file |
| `entry.py`, `reading.py` | with numba: the instructions of the entry |
| `emit.py`, `elf.py` | with numba: object code, and object code as a flat image |
| `values.py` | the types of Python values as text |
| `loading.py` | machine code as a function of Python |
| `specializations.py` | the loaded forms of one kernel, and what happens with a call that none of them takes |
| `images.py`, `storage.py` | files with the kernels of a package; where a kernel is looked up and compiled |
"""
