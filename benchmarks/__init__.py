"""Benchmarks: Rish compared with other engines, in one form. `python -m benchmarks NAME`; see docs/benchmarks.md."""
