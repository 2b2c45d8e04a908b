"""A strict sign-in service of others on loopback: oidc-provider-mock from PyPI, which checks clients, secrets, addresses and nonces.

Usage: oidc-server.py
Says "ready PORT" when it answers, and ends when its standard input is closed. Its people are ann (of the pupils, in 7b), hale (of the staff)
and cleo, who is neither.
"""
import os, sys, threading

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

import logging
from oidc_provider_mock import User, app
import werkzeug.serving

PEOPLE = [
    User(sub="ann", claims={"name": "Ann Lee", "groups": ["/pupils", "/classes/7b"]}),
    User(sub="hale", claims={"name": "Ms Hale", "groups": ["/staff", "/classes/7b"]}),
    User(sub="cleo", claims={"name": "Cleo"}),
]

logging.getLogger("werkzeug").setLevel(logging.ERROR)
service = app(require_client_registration=True, require_nonce=True, user_claims=PEOPLE)
server = werkzeug.serving.make_server("127.0.0.1", 0, service, threaded=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"ready {server.server_port}", flush=True)
sys.stdin.read()
