"""What `python -m engine` says and shows, in the learner's language."""
