"""Benchmarks: Rish beside its peers, in one form. `python -m benchmarks NAME`; see docs/benchmarks.md."""
