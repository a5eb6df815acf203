"""Many nodes on one database: who keeps which table, and what is carried from node to node."""
