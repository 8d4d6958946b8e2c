import numba
def njit(fn=None, *, parallel=False, inline=None, nogil=True):
    def w(f):
        return numba.njit(nogil=nogil,error_model="numpy",cache=True)(f)
    return w(fn) if fn else w
