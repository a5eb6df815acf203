"""Files and disk: the server's folder, files that are private and whole."""
