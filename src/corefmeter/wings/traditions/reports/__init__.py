"""What the commands of this wing report."""
