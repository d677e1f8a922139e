"""What happens: matches, presses, lessons, and where they wait and think."""
