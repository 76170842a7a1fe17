"""Reads YAML documents, separated by NUL, with PyYAML and prints what it read, one line each."""

import json
import struct
import sys

import yaml


def plain(value):
    """The value with its kind, so that 1, 1.0, "1" and True differ."""
    if value is None:
        return ["null"]
    if isinstance(value, bool):
        return ["bool", value]
    if isinstance(value, int):
        return ["int", str(value)]
    if isinstance(value, float):
        return ["float", "nan" if value != value else struct.pack(">d", value).hex()]
    if isinstance(value, str):
        return ["text", value]
    if isinstance(value, list):
        return ["list", [plain(item) for item in value]]
    if isinstance(value, dict):
        return ["map", [[plain(key), plain(item)] for key, item in value.items()]]
    return ["other", repr(value)]


for document in sys.stdin.buffer.read().decode("utf-8").split("\0"):
    try:
        read = plain(yaml.safe_load(document))
    except Exception as error:
        read = ["error", str(error)]
    print(json.dumps(read))
