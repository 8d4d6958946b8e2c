"""Contacts: from pairs of overlapping AABBs to contact points, islands and events."""
