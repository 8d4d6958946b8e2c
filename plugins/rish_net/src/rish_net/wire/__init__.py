"""What is sent: inputs and messages as bytes, with limits."""
