"""The figures of the papers that dpduck implements."""
