"""What the OpenAPI document says beyond its operations."""
