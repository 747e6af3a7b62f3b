"""What hostile reviews found that an answer told besides its numbers, each as a test."""
