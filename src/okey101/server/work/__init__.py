"""Work beside the event loop: threads, and processes in which bots and reviews think."""
