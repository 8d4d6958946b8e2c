"""The widgets of `UI`, in groups: each module is a base class of it."""
