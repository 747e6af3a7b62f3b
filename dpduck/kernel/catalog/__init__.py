"""Public facts, frozen: column types, tables with their privacy units and domains, policy statements."""
