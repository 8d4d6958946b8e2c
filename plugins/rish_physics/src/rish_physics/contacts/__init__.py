"""From pairs of boxes that overlap to contact points, islands and events."""
