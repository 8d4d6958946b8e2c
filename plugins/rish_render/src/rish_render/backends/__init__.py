"""The backends that this package brings: `software` draws with numba and needs neither window nor OpenGL."""
