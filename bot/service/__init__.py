"""Services for matches, presses and lessons, and the threads and processes they run in."""
