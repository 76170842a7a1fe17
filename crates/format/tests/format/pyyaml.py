"""Compares YAML texts with their layout by what PyYAML reads, and prints one line of JSON for each pair.

Standard input has a text, what it becomes, the next text and so on, separated by NUL. A line is `"refused"` if PyYAML does not
read the first text, `"same"` if both have the same events, or a list of what differs. Long texts are read by libyaml only.
"""

import json
import sys

import yaml

LONG = 2_000


def shown(event):
    """An event without its place, with one style for both kinds of quotes, and one value for "not in brackets"."""
    fields = {name: value for name, value in vars(event).items() if not name.endswith("_mark")}
    if fields.get("style") in ("'", '"'):
        fields["style"] = '"'
    if "flow_style" in fields:
        fields["flow_style"] = bool(fields["flow_style"])
    return type(event).__name__, sorted(fields.items())


def events(text, loader):
    try:
        return [shown(event) for event in yaml.parse(text, Loader=loader)]
    except yaml.YAMLError:
        return None


def difference(before, after, loader):
    old = events(before, loader)
    if old is None:
        return "refused"
    new = events(after, loader)
    if old == new:
        return "same"
    if new is None:
        return [loader.__name__, "is not read any more"]
    at = next((n for n, pair in enumerate(zip(old, new)) if pair[0] != pair[1]), min(len(old), len(new)))
    return [loader.__name__, str(old[at : at + 1]), str(new[at : at + 1])]


def verdict(before, after):
    loaders = [yaml.SafeLoader] if len(before) < LONG else []
    if hasattr(yaml, "CSafeLoader"):
        loaders.insert(0, yaml.CSafeLoader)
    verdicts = [difference(before, after, loader) for loader in loaders]
    wrong = next((it for it in verdicts if isinstance(it, list)), None)
    return wrong or ("same" if "same" in verdicts else "refused")


texts = [it.decode("utf-8") for it in sys.stdin.buffer.read().split(b"\0")]
for before, after in zip(texts[::2], texts[1::2]):
    print(json.dumps(verdict(before, after)))
