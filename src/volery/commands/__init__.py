"""What the commands do. Only these functions print."""
