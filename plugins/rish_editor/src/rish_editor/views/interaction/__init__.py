"""What the pointer and keys do over a view: dragging handles, selecting, nudging, opening the menu."""
