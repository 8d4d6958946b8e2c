"""Line of sight: what viewers see past `Edges`, whether one sees another, and fog of war with a memory."""
