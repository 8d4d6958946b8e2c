"""Line of sight past `Edges`: visible areas, visibility between points, and fog of war with a memory."""
