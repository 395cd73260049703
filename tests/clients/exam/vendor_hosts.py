"""Runs a Python program, which nobody has changed: `vendor_hosts.py MODULE ARGUMENTS`.

Its calls by `requests` to hosts of the counterpart go to SWITCHBOARD_URL.
"""

import os
import re
import runpy
import sys

import requests

VENDOR = re.compile(r"https://[^/]+\.(?:amocrm\.ru|amocrm\.com|kommo\.com)(?=/)")
own_request = requests.Session.request


def request(session, method, url, **options):
    return own_request(session, method, VENDOR.sub(os.environ["SWITCHBOARD_URL"], url, count=1), **options)


requests.Session.request = request
sys.argv = sys.argv[1:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
