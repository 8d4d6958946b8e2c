"""The lists of kernels: what games call is recorded, and united with what the lists have."""
