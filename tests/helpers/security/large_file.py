"""The settings of the service, with a large static file in the data folder.

The responses of the service fit into the buffers of a connection.
"""

from config.settings import *  # noqa: F403
from config.settings import DATA_DIR

STATICFILES_DIRS = [DATA_DIR / "large"]
