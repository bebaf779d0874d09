#!/usr/bin/env python
from config.console import main

if __name__ == "__main__":
    main()
