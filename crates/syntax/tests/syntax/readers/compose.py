"""Reads YAML documents, separated by NUL, with PyYAML and prints each as a tree of JSON, one line each.

The parser is libyaml where PyYAML has it. A scalar is `["scalar", kind, value, text, plain]`: what YAML 1.1 takes it for,
and the text that is written. The first line names the parser.
"""

import json
import struct
import sys

import yaml

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
Core = yaml.constructor.SafeConstructor


def scalar(loader, node):
    value = loader.construct_object(node)
    if value is None:
        kind, shown = "null", ""
    elif isinstance(value, bool):
        kind, shown = "bool", str(value).lower()
    elif isinstance(value, int):
        kind, shown = "int", str(value)
    elif isinstance(value, float):
        kind, shown = "float", "nan" if value != value else struct.pack(">d", value).hex()
    elif isinstance(value, str):
        kind, shown = "text", value
    else:
        kind, shown = "other", type(value).__name__
    return ["scalar", kind, shown, node.value, node.style in (None, "")]


def tree(loader, node, above):
    if node in above:
        raise RecursionError("an alias inside what it stands for")
    if isinstance(node, yaml.ScalarNode):
        return scalar(loader, node)
    above = above | {node}
    if isinstance(node, yaml.SequenceNode):
        if node.tag != "tag:yaml.org,2002:seq":
            loader.construct_object(node, deep=True)
            return ["other", node.tag]
        return ["list", [tree(loader, item, above) for item in node.value]]
    if node.tag != "tag:yaml.org,2002:map":
        loader.construct_object(node, deep=True)
        return ["other", node.tag]
    loader.flatten_mapping(node)
    entries = []
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise yaml.constructor.ConstructorError(None, None, "found unhashable key", key.start_mark)
        entries.append([scalar(loader, key), tree(loader, value, above)])
    return ["map", entries]


def read(document):
    loader = Loader(document)
    try:
        node = loader.get_single_node()
        return ["nothing"] if node is None else tree(loader, node, frozenset())
    finally:
        loader.dispose()


print(json.dumps(Loader.__name__), flush=True)
for document in sys.stdin.buffer.read().split(b"\0"):
    try:
        answer = read(document.decode("utf-8"))
    except Exception as error:
        answer = ["error", type(error).__name__, str(error)]
    print(json.dumps(answer))
