"""What whoever runs the bot asks of it: copies of its database, whether it is well, figures."""
