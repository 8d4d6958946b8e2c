"""The benchmark `net`: games that several machines play together."""
