"""What particles are in the World: emitters, settings, pools in tables."""
