"""Fair deals: rounds in which all commit before anything is opened, and their transcript."""
