"""The editor of Rish: scenes, inspector, gizmos, play and undo in one window, extended by plugins."""
