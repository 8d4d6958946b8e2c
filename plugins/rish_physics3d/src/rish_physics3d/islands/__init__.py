"""Islands: groups of bodies that touch or are joined; each falls asleep together and wakes together."""
