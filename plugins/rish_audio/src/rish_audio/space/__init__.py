"""What distance, direction, speed and walls do to a sound."""
