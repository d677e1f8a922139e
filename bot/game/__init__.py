"""Values and the rules of the house: pure, and known to all."""
