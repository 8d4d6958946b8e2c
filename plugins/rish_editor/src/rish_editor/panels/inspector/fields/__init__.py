"""The widgets of fields in the inspector, by the type of the field."""
