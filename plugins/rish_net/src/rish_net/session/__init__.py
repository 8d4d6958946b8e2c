"""The session: inputs of all peers, rollback, and the pace of the clocks."""
