"""What this machine can run: its processor, the layout of Python's and numpy's objects, addresses of functions."""
