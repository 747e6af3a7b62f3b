"""Result files, and the figures and tables made of them."""
