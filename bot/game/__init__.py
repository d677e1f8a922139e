"""Values and rules of matches and lessons: pure, importing nothing but the engine."""
