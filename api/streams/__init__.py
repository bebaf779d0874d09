"""New feed rows as server-sent events. `config` starts the process that sends them."""
