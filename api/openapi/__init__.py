"""The OpenAPI document: operations, webhooks and components."""
