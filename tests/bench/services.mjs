// A served API beside json-server, and beside etcd itself when its resources are kept there: the same client sends the same
// requests to each, over as many connections, and they take turns.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const RESOURCES = 100_000;
const CONNECTIONS = 32;
const TOKEN = "a-token-for-the-bench";
const SPECIFICATION = `name: library.example.com
proto: {package: {name: example.library, currentVersion: v1}}
resources:
- name: Book
  fields:
  - {path: title, type: string}
  - {path: year, type: int32}
`;
/** How often each is measured; the best counts, because a busy machine only ever makes it worse. */
const TURNS = 3;

const book = (id) => ({ title: `Book ${id}`, year: 1900 + (id % 125) });

export async function services({ target }) {
  const folder = mkdtempSync(join(tmpdir(), "planloom-bench-"));
  const started = [];
  try {
    return [
      ...names(target),
      ...(await besideJsonServer(target, folder, started)),
      ...(await besideEtcd(target, folder, started)),
      ...weight(target),
    ];
  } finally {
    started.forEach((child) => child.kill("SIGKILL"));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lines like `secrets: 7.1 M read, 3.2 M formatted`. */
function names(target) {
  const printed = execFileSync(join(target, "release/examples/speed"), { encoding: "utf8" });
  return printed.trim().split("\n").map((line) => {
    const [what, ours] = line.split(/: (.*)/);
    return { what: `names of ${what}, per second`, ours };
  });
}

async function besideJsonServer(target, folder, started) {
  const ours = await planloom(target, folder, started, []);
  const before = memory(ours.child);
  await load(ours);
  const bytes = Math.round((memory(ours.child) - before) / RESOURCES);
  const peer = await jsonServer(folder, started);
  const id = (nth) => (nth * 7919) % RESOURCES;
  const works = {
    get: {
      count: 3000,
      ours: (nth) => ours.send("GET", `/v1/books/book-${id(nth)}`),
      peer: (nth) => peer.send("GET", `/books/book-${id(nth)}`),
    },
    "list with filter": {
      count: 200,
      ours: (nth) => ours.send("GET", `/v1/books?pageSize=50&filter=year%3D${1900 + (nth % 125)}`),
      peer: (nth) => peer.send("GET", `/books?_limit=50&year=${1900 + (nth % 125)}`),
    },
    create: {
      count: 30,
      ours: (nth) => ours.send("POST", "/v1/books", book(nth)),
      peer: (nth) => peer.send("POST", "/books", book(nth)),
    },
  };
  const results = [];
  for (const [what, { count, ours, peer }] of Object.entries(works)) {
    const rates = await best({ ours, peer }, count);
    results.push(faster(`${what} of ${RESOURCES.toLocaleString("en")}`, rates, "json-server", 10));
  }
  started.splice(0).forEach((child) => child.kill("SIGKILL"));
  return [...results, { what: "memory for each resource", ours: `${bytes} bytes` }];
}

async function besideEtcd(target, folder, started) {
  if (!existsSync("/usr/bin/etcd")) {
    return [{ what: "create, kept in etcd", ours: "not measured: there is no etcd", goal: "≥ 0.5×" }];
  }
  const etcd = await etcdServer(folder, started);
  const ours = await planloom(target, folder, started, ["--store", `etcd://127.0.0.1:${etcd.port}/bench`]);
  const base64 = (text) => Buffer.from(text).toString("base64");
  const put = (nth) => ({ key: base64(`books/book-${nth}`), value: base64(JSON.stringify(book(nth))) });
  const works = {
    ours: (nth) => ours.send("POST", "/v1/books", book(nth)),
    peer: (nth) => etcd.send("POST", "/v3/kv/put", put(nth)),
  };
  const results = [];
  for (const connections of [1, CONNECTIONS]) {
    const rates = await best(works, 60 * connections, connections);
    const what = `create, kept in etcd, ${connections} connection${connections > 1 ? "s" : ""}`;
    results.push(faster(what, rates, "etcd's own put", 0.5));
  }
  return results;
}

function weight(target) {
  const part = join(target, "npm/dist/planloom_services.wasm");
  if (!existsSync(part)) return [];
  const bytes = brotliCompressSync(readFileSync(part)).length;
  return [{ what: "npm part services, Brotli", ours: `${Math.round(bytes / 1000)} KB` }];
}

function faster(what, { ours, peer }, name, goal) {
  const ratio = ours / peer;
  const rate = (it) => `${Math.round(it).toLocaleString("en")}/s`;
  const met = ratio >= goal;
  return { what, ours: rate(ours), peer: `${name}, ${rate(peer)}`, ratio: `${ratio.toPrecision(3)}×`, goal: `≥ ${goal}×`, met };
}

/** The best rate of each in some turns, in requests per second. */
async function best(contenders, count, connections = CONNECTIONS) {
  const rates = Object.fromEntries(Object.keys(contenders).map((name) => [name, 0]));
  let nth = 0;
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [name, send] of Object.entries(contenders)) {
      rates[name] = Math.max(rates[name], await rate(send, count, connections, (nth += count)));
    }
  }
  return rates;
}

async function rate(send, count, connections, first) {
  const start = performance.now();
  await each(count, connections, (nth) => send(first + nth));
  return (count * 1000) / (performance.now() - start);
}

/** Calls a function with 0 to `count`, so many at a time. */
async function each(count, connections, call) {
  let next = 0;
  const worker = async () => {
    while (next < count) await call(next++);
  };
  await Promise.all(Array.from({ length: connections }, worker));
}

async function load(ours) {
  await each(RESOURCES, CONNECTIONS, (nth) => ours.send("POST", "/v1/books", { name: `books/book-${nth}`, ...book(nth) }));
}

/** The program with a small service. */
export async function planloom(target, folder, started, more) {
  const specification = join(folder, "library.yaml");
  writeFileSync(specification, SPECIFICATION);
  const port = await freePort();
  const words = ["serve", "--service", specification, "--port", `${port}`, "--format", "json", ...more];
  const child = spawn(join(target, "release/planloom"), words, {
    env: { ...process.env, PLANLOOM_TOKEN: TOKEN },
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(child);
  await once(child.stdout, "data");
  return client(child, port, { authorization: `Bearer ${TOKEN}` });
}

async function jsonServer(folder, started) {
  const books = Array.from({ length: RESOURCES }, (_, nth) => ({ id: `book-${nth}`, ...book(nth) }));
  const file = join(folder, "db.json");
  writeFileSync(file, JSON.stringify({ books }));
  const program = join(here, "node_modules/json-server/lib/cli/bin.js");
  return listening(started, process.execPath, (port) => [program, file, "--quiet", "--host", "127.0.0.1", "--port", `${port}`], "/books/book-0");
}

function etcdServer(folder, started) {
  const words = (port, peers) => {
    const [own, other] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peers}`];
    return [
      ...["--data-dir", join(folder, "etcd"), "--log-level", "error", "--initial-cluster", `default=${other}`],
      ...["--listen-client-urls", own, "--advertise-client-urls", own],
      ...["--listen-peer-urls", other, "--initial-advertise-peer-urls", other],
    ];
  };
  return listening(started, "/usr/bin/etcd", words, "/health");
}

/** A program that listens on a free port, once it answers. */
async function listening(started, program, words, path) {
  const [port, second] = [await freePort(), await freePort()];
  const child = spawn(program, words(port, second), { stdio: "ignore" });
  started.push(child);
  const server = client(child, port, {});
  for (let tries = 0; tries < 300; tries += 1) {
    if (await server.send("GET", path).then(() => true, () => false)) return server;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${program} does not answer`);
}

/** Sends requests over connections that are kept; a response that is no success is an error. */
export function client(child, port, headers) {
  const agent = new Agent({ keepAlive: true });
  const send = (method, path, body) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const typed = text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
      const sent = request({ agent, host: "127.0.0.1", port, method, path, headers: { ...headers, ...typed } }, (response) => {
        response.resume();
        response.on("end", () =>
          response.statusCode < 300 ? resolve() : reject(new Error(`${method} ${path}: ${response.statusCode}`)),
        );
      });
      sent.on("error", reject);
      sent.end(text);
    });
  return { child, port, send };
}

/** The bytes of memory that a process uses. */
export function memory(child) {
  const [, kilobytes] = readFileSync(`/proc/${child.pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/);
  return Number(kilobytes) * 1024;
}

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
