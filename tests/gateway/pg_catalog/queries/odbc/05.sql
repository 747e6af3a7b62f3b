select NULL, NULL, NULL
