"""The whole of it as bytes: snapshots, restores, hashes, and redeclared classes."""
