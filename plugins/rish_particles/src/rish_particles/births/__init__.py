"""Where particles come from: emitters, one-shots, reactions to events."""
