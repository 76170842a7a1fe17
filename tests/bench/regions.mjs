// A service in two regions: how late copies are, how long they take after a partition, and what passing a request on costs.
// There is no peer that does the same; requests that are passed on stand beside direct ones.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { client, freePort } from "./services.mjs";

const TOKEN = "a-token-for-the-bench";
const SPECIFICATION = `name: fleet.example.com
proto: {package: {name: example.fleet, currentVersion: v1}}
resources:
- name: Project
  multiRegion: {isPolicyHolder: true}
- name: Device
  parents: [Project]
  scopeAttributes: [Region]
  fields: [{path: title, type: string}]
`;
const RATE = 100;
const WRITES = 2000;
const PARTITION = 10_000;
const CLIENTS = 16;
const HELD = 5000;

export async function regions({ target }) {
  const folder = mkdtempSync(join(tmpdir(), "planloom-bench-"));
  const started = [];
  try {
    writeFileSync(join(folder, "fleet.yaml"), SPECIFICATION);
    const ports = { eu: await freePort(), us: await freePort() };
    const start = (own, other) => server(target, folder, started, own, other, ports);
    const [eu, us] = [await start("eu", "us"), await start("us", "eu")];
    await eu.send("POST", "/v1/projects", { name: "projects/p1" });
    const [p50, p99] = await lag(eu, us, ports.us);
    const [direct, passedOn] = await routed(eu, us);
    const seconds = await partition(eu, us, () => start("us", "eu"));
    return [
      { what: `copies behind their owner, ${RATE} writes a second`, ours: `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms` },
      { what: `copies equal after a partition of ${PARTITION} changes`, ours: `${seconds.toFixed(2)} s` },
      {
        what: "requests passed on, per second",
        ours: passedOn.toFixed(0),
        peer: `${direct.toFixed(0)} direct`,
        ratio: (passedOn / direct).toFixed(2),
      },
      { what: "states of protocols explored, per second", ours: explored(target) },
    ];
  } finally {
    started.forEach((child) => child.kill("SIGKILL"));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function server(target, folder, started, own, other, ports) {
  const peer = `fleet.example.com@${other}=http://127.0.0.1:${ports[other]}`;
  const words = ["serve", "--service", "fleet.yaml", "--store", `${own}.db`, "--port", `${ports[own]}`, "--format", "json"];
  words.push("--region", own, "--control-region", "eu", "--peer", peer);
  const child = spawn(join(target, "release/planloom"), words, {
    cwd: folder,
    env: { ...process.env, PLANLOOM_TOKEN: TOKEN },
    stdio: ["ignore", "pipe", "ignore"],
  });
  started.push(child);
  await once(child.stdout, "data");
  return client(child, ports[own], { authorization: `Bearer ${TOKEN}` });
}

const device = (nth) => ({ name: `projects/p1/regions/eu/devices/d${nth}`, title: `title ${nth}` });
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The message of a response. */
async function read({ port }, path) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });
  return response.ok ? response.json() : undefined;
}

/** Milliseconds from the response to a write until a watch in the other region has it. */
async function lag(eu, us, port) {
  const arrived = new Map();
  const watch = await fetch(`http://127.0.0.1:${port}/v1/projects/p1/regions/eu/devices:watch`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: "{}",
  });
  if (!watch.ok) throw new Error(`the watch is answered with ${watch.status}: ${await watch.text()}`);
  const reading = (async () => {
    const text = new TextDecoder();
    for await (const chunk of watch.body) {
      const now = performance.now();
      for (const [, id] of text.decode(chunk, { stream: true }).matchAll(/devices\/(d\d+)"/g)) {
        if (!arrived.has(id)) arrived.set(id, now);
      }
    }
  })().catch(() => {});
  const written = new Map();
  const begun = performance.now();
  for (let nth = 0; nth < WRITES; nth += 1) {
    await sleep(Math.max(0, begun + (nth * 1000) / RATE - performance.now()));
    await eu.send("POST", "/v1/projects/p1/regions/eu/devices", device(nth));
    written.set(`d${nth}`, performance.now());
  }
  for (let tries = 0; arrived.size < WRITES && tries < 300; tries += 1) await sleep(100);
  if (arrived.size < WRITES) throw new Error(`${WRITES - arrived.size} writes have not arrived`);
  void reading;
  const late = [...written].map(([id, at]) => arrived.get(id) - at).sort((a, b) => a - b);
  return [0.5, 0.99].map((part) => late[Math.ceil(late.length * part) - 1]);
}

/** Updates a second of what a region owns: sent to it, and to the other one. */
async function routed(eu, us) {
  const rate = async (server) => {
    let count = 0;
    const end = performance.now() + HELD;
    const one = async (nth) => {
      while (performance.now() < end) {
        await server.send("PUT", `/v1/projects/p1/regions/eu/devices/d${nth}?updateMask=title`, { title: `${count}` });
        count += 1;
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, nth) => one(nth)));
    return (count * 1000) / HELD;
  };
  return [await rate(eu), await rate(us)];
}

/** Seconds from the start of a region until it has what was written while it was gone. */
async function partition(eu, us, start) {
  us.child.kill("SIGKILL");
  await once(us.child, "exit");
  const one = async (first) => {
    for (let nth = first; nth < PARTITION; nth += CLIENTS) {
      const { name } = device(nth % WRITES);
      await eu.send("PUT", `/v1/${name}?updateMask=title`, { title: `after ${nth}` });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, first) => one(first)));
  const last = device((PARTITION - 1) % WRITES).name;
  const owned = await read(eu, `/v1/${last}`);
  const begun = performance.now();
  const again = await start();
  for (;;) {
    const copy = await read(again, `/v1/${last}`);
    const status = await read(again, "/peers/v1/status");
    const [copies] = status.copies;
    const isEqual = copy?.metadata.resourceVersion === owned.metadata.resourceVersion && copies && !copies.readsSnapshot;
    if (isEqual && copies.complete >= Number(owned.metadata.resourceVersion)) return (performance.now() - begun) / 1000;
    if (performance.now() - begun > 120_000) throw new Error(`the copies are not equal: ${JSON.stringify(status)}`);
    await sleep(20);
  }
}

function explored(target) {
  const printed = execFileSync(join(target, "release/explore"), ["--steps", "200000"], { encoding: "utf8" });
  const [, states, seconds] = printed.match(/(\d+) states in (\d+) s/);
  return (Number(states) / Number(seconds)).toFixed(0);
}
