"""What the operating system and the installation provide: locks that survive forks, shipped SQL files."""
