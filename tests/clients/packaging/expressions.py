"""Reads the rules of a file and prints each alert with its expression, as Prometheus understands it."""
import json
import sys

import promql_parser
import yaml

with open(sys.argv[1], encoding="utf-8") as file:
    groups = yaml.safe_load(file)["groups"]
rules = [rule for group in groups for rule in group["rules"]]
for rule in rules:
    promql_parser.parse(rule["expr"])
print(json.dumps(rules))
