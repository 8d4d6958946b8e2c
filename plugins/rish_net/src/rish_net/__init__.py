"""Games that several people play over a network, for Rish."""
