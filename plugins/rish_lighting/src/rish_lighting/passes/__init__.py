"""The passes of light: which layers are lit, and what is drawn onto which sheet."""
