"""Verifies a webhook as a foreign receiver does. verify.py SECRET BODY-FILE NAME=VALUE…, with its headers"""
import sys

from standardwebhooks import Webhook

secret, path, *headers = sys.argv[1:]
with open(path, "rb") as file:
    body = file.read()
found = Webhook(secret).verify(body, dict(header.split("=", 1) for header in headers))
print(found["type"], found["data"]["session"])
