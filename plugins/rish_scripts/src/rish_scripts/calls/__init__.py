"""Which methods of scripts are called when: bindings, coming and going, events, systems."""
