"""A small API by the rules of AIP, to test clients with a server that is not Planloom's.

Shelves and the books on them: pages of two (AIP-158), ids beside new resources (AIP-133), PATCH with an update mask
(AIP-134), versions in the field `etag` (AIP-154), the wildcard `-` (AIP-159), errors as google.rpc.Status (AIP-193).
It prints its port, and answers `GET /requests` with the requests so far.
"""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

TOKEN = "Bearer 0123456789abcdef0123"
FIELDS = {
    "shelves": {"name", "displayName", "etag"},
    "books": {"name", "title", "pageCount", "annotations", "etag"},
}
resources = {}
requests = []
versions = iter(range(1, 1_000_000))


class Refused(Exception):
    def __init__(self, status, code, message):
        super().__init__(message)
        self.body = {"error": {"code": status, "status": code, "message": message}}
        self.status = status


def camel(name):
    head, *rest = name.split("_")
    return head + "".join(it.title() for it in rest)


def collection(name):
    return name.split("/")[-2]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        if self.path == "/requests":
            return self.send(200, requests)
        requests.append(f"{self.command} {self.path}")
        try:
            self.send(200, self.answer(body))
        except Refused as refused:
            self.send(refused.status, refused.body)

    do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = do

    def log_message(self, *_):
        pass

    def send(self, status, value):
        text = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def answer(self, body):
        if self.headers.get("Authorization") != TOKEN:
            raise Refused(401, "UNAUTHENTICATED", "send a token")
        url = urlsplit(self.path)
        query = {camel(name): values[-1] for name, values in parse_qs(url.query).items()}
        path = re.fullmatch(r"/v1/(shelves(?:/[\w.-]+(?:/books(?:/[\w.-]+)?)?)?)", url.path)
        if not path:
            raise Refused(404, "NOT_FOUND", "no such path")
        path = path.group(1)
        is_collection = len(path.split("/")) % 2 == 1
        methods = {
            ("GET", True): self.list,
            ("POST", True): self.create,
            ("GET", False): self.get,
            ("PATCH", False): self.update,
            ("DELETE", False): self.delete,
        }
        method = methods.get((self.command, is_collection))
        if not method:
            raise Refused(405, "UNIMPLEMENTED", "no such method")
        return method(path, query, json.loads(body) if body else {})

    def finish_query(self, query, *known):
        for name in query.keys() - set(known):
            raise Refused(400, "INVALID_ARGUMENT", f"there is no parameter {name}")

    def check(self, value, kind):
        for name in value.keys() - FIELDS[kind]:
            raise Refused(400, "INVALID_ARGUMENT", f"there is no field {name}")

    def found(self, name):
        if name not in resources:
            raise Refused(404, "NOT_FOUND", f"{name} does not exist")
        return resources[name]

    def expect(self, resource, etag):
        if etag and etag != resource["etag"]:
            raise Refused(409, "ABORTED", "the etag differs")

    def list(self, path, query, _):
        self.finish_query(query, "pageSize", "pageToken")
        pattern = re.escape(path).replace("/\\-/", "/-/").replace("/-/", "/[^/]+/") + "/[^/]+"
        names = sorted(it for it in resources if re.fullmatch(pattern, it))
        after = query.get("pageToken", "")
        names = [it for it in names if it > after]
        page = names[: min(2, int(query.get("pageSize") or 2) or 2)]
        token = page[-1] if len(names) > len(page) else ""
        return {path.split("/")[-1]: [resources[it] for it in page], "nextPageToken": token}

    def create(self, path, query, value):
        kind = path.split("/")[-1]
        of = "shelfId" if kind == "shelves" else "bookId"
        self.finish_query(query, of)
        if of not in query:
            raise Refused(400, "INVALID_ARGUMENT", f"{of} is required")
        if kind == "books":
            self.found(path.rsplit("/", 1)[0])
        name = f"{path}/{query[of]}"
        if name in resources:
            raise Refused(409, "ALREADY_EXISTS", f"{name} exists")
        self.check(value, kind)
        resources[name] = {**value, "name": name, "etag": f"e{next(versions)}"}
        return resources[name]

    def get(self, path, query, _):
        self.finish_query(query)
        return self.found(path)

    def update(self, path, query, value):
        self.finish_query(query, "updateMask")
        resource = dict(self.found(path))
        self.expect(resource, value.get("etag"))
        self.check(value, collection(path))
        if "updateMask" not in query:
            raise Refused(400, "INVALID_ARGUMENT", "updateMask is required")
        for field in re.findall(r"(?:`[^`]*`|[^,])+", query["updateMask"]):
            parts = [it.strip("`") for it in re.findall(r"`[^`]*`|[^.]+", field)]
            onto, source = resource, value
            for part in parts[:-1]:
                onto = onto.setdefault(part, {})
                source = source.get(part, {})
            if parts[-1] in source:
                onto[parts[-1]] = source[parts[-1]]
            else:
                onto.pop(parts[-1], None)
        resources[path] = {**resource, "etag": f"e{next(versions)}"}
        return resources[path]

    def delete(self, path, query, _):
        self.finish_query(query, "etag")
        self.expect(self.found(path), query.get("etag"))
        if any(it.startswith(f"{path}/") for it in resources):
            raise Refused(400, "FAILED_PRECONDITION", "the shelf has books")
        del resources[path]
        return {}


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    sys.stdout.close()
    server.serve_forever()
