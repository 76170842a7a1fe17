// A served API under load: how long another client waits for one small resource, and how much memory the server takes, while
// watches are not read, pages are large, and batches name the same resource again and again.
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memory, planloom } from "./services.mjs";

const TOKEN = "a-token-for-the-bench";
const LARGE = 40;
const LENGTH = 7 << 20;
const WATCHES = 200;
const READERS = 4;
/** How long each load is held, and how often the other client sends a request. */
const HELD = 10_000;
const EVERY = 20;
const GOAL = 100;

const WATCH = "/v1/books:watch?pageSize=1000";

export async function load({ target }) {
  const folder = mkdtempSync(join(tmpdir(), "planloom-bench-"));
  const started = [];
  try {
    const server = await planloom(target, folder, started, ["--store", join(folder, "store")]);
    await server.send("POST", "/v1/books", { name: "books/small", title: "small" });
    for (let nth = 0; nth < LARGE; nth += 1) {
      await server.send("POST", "/v1/books", { name: `books/large-${nth}`, title: `${nth}`.padEnd(LENGTH, "x") });
    }
    const batch = `/v1/books:batchGet?${Array.from({ length: 300 }, () => "names=books/large-0").join("&")}`;
    const loads = {
      "nothing": [],
      [`${WATCHES} watches that are not read`]: unread(WATCHES, WATCH),
      [`${WATCHES} watches of a page that are not read`]: unread(WATCHES, `${WATCH}&type=STATEFUL`),
      [`${READERS} lists of ${LARGE} resources of ${LENGTH >> 20} MiB, again and again`]: repeated("/v1/books"),
      [`${READERS} batches of one name 300 times, again and again`]: repeated(batch),
    };
    const results = [];
    for (const [what, clients] of Object.entries(loads)) results.push(await beside(server, what, clients));
    return results;
  } finally {
    started.forEach((child) => child.kill("SIGKILL"));
    rmSync(folder, { recursive: true, force: true });
  }
}

const unread = (count, path) => Array.from({ length: count }, () => (port) => opened(port, path, false));

/** Clients that read a response as fast as they can, and send the request again. */
const repeated = (path) =>
  Array.from({ length: READERS }, () => async (port) => {
    let isWanted = true;
    const reads = async () => {
      while (isWanted) await (await opened(port, path, true)).ended;
    };
    const all = reads();
    return { end: () => ((isWanted = false), all) };
  });

/** The times of small requests while clients load the server. */
async function beside(server, what, clients) {
  const loading = await Promise.all(clients.map((it) => it(server.port)));
  const times = [];
  let most = 0;
  for (const start = performance.now(); performance.now() - start < HELD; ) {
    const sent = performance.now();
    await server.send("GET", "/v1/books/small");
    times.push(performance.now() - sent);
    // A large resource is written now and then, so that watches have something to send.
    if (times.length % 100 === 0) await server.send("PUT", "/v1/books/large-1?updateMask=year", { year: times.length });
    most = Math.max(most, memory(server.child));
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
  await Promise.all(loading.map((it) => it.end()));
  times.sort((a, b) => a - b);
  const [median, p99, longest] = [0.5, 0.99, 1].map((part) => times[Math.ceil(times.length * part) - 1]);
  const ours = `median ${median.toFixed(1)}, p99 ${p99.toFixed(1)}, longest ${longest.toFixed(0)} ms; ${most >> 20} MiB`;
  return { what: `a small GET beside ${what}`, ours, goal: `p99 ≤ ${GOAL} ms`, met: p99 <= GOAL };
}

/** A request whose response is read or not; it may also be refused, or its connection closed. */
function opened(port, path, isRead) {
  return new Promise((resolve) => {
    const agent = new Agent();
    const sent = request({ agent, host: "127.0.0.1", port, path, headers: { authorization: `Bearer ${TOKEN}` } }, (response) => {
      if (isRead) response.resume();
      resolve({ ended, end: () => (response.destroy(), ended) });
    });
    const ended = new Promise((done) => sent.on("close", done));
    sent.on("error", () => resolve({ ended, end: () => ended }));
    sent.end();
  });
}
