"""The console of the editor without widgets: it runs Python on the live World."""
