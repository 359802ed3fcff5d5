"""What can be proved."""
