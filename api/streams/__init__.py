"""New feed rows as Server-Sent Events. `config` starts the process that sends them."""
