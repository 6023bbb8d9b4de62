"""Serves moto's S3 at a port of this machine, one request at a time.

Its own server takes requests in threads, without making a conditional write one step: several writers
may win. Usage: moto_server.py PORT
"""

import sys

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple

run_simple("127.0.0.1", int(sys.argv[1]), DomainDispatcherApplication(create_backend_app), threaded=False)
