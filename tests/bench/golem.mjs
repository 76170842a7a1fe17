// Our adapter for the Golem network beside `dapp-runner`, the reference runner: the same descriptor, on real daemons with
// simulated providers. Each scenario has a network of its own. Both tools are measured from outside: through the port of
// the application, and through the REST API of the requestor's daemon. A kill hits all processes of a tool at once, ours
// therefore with its requestor agent, which is what runs after `apply` has ended. `dapp-runner` has no command that finds
// what it left: its `--resume` needs a description that its API gave before. `PLANLOOM_KEEP=1` keeps the logs.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { activities, counted, golemNetwork, isEmpty, open } from "./golem/network.mjs";
import { DappRunner, Planloom, kill, pause } from "./golem/tools.mjs";
import { summary } from "./measure.mjs";

/** How often each runs normally. Both poll, so times differ by up to a second. */
const TURNS = 5;
/** How long after a kill is counted what is open. */
const LATER = 20_000;
/** How long after the end of a tool what it left is waited for, and after an apply the proxy. */
const LATEST = 60_000;
/** What the user of Planloom runs after a kill. */
const NEXT = [["apply", "destroy"], ["destroy"]];
const IMAGE = "0123456789abcdef0123456789abcdef0123456789abcdef01234567";

const KILLS = {
  "SIGKILL of all its processes when the first activity exists": (tool) => killedInStart(tool),
  "SIGKILL of all its processes when all run": killedRunning,
};

const descriptor = (registry, port) => `payloads:
  image:
    runtime: vm
    params: {image_hash: ${IMAGE}, image_url: "${registry}/image/${IMAGE}.gvmi"}
networks:
  default: {ip: 192.168.0.0/24}
nodes:
  db:
    payload: image
    network: default
    init: [[/bin/sh, -c, "echo db"]]
  web:
    payload: image
    network: default
    depends_on: [db]
    init: [[/bin/sh, -c, "echo web"]]
    http_proxy: {ports: ["${port}:80"]}
`;

export async function golem({ target }) {
  const program = process.env.DAPP_RUNNER;
  if (!program) return [{ what: "Golem network", ours: "skipped: dapp-runner is not installed" }];
  const tools = { ours: (place) => new Planloom(target, place), peer: (place) => new DappRunner(program, place) };
  const inNetwork = (tool, scenario) => within(target, tools[tool], scenario);
  const normal = { ours: [], peer: [] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const tool of Object.keys(tools)) normal[tool].push(await inNetwork(tool, normally));
  }
  const kills = [];
  for (const [what, scenario] of Object.entries(KILLS)) {
    const peer = await inNetwork("peer", scenario);
    const ours = [];
    for (const verbs of NEXT) ours.push(await inNetwork("ours", async (it) => then(it, await scenario(it), verbs)));
    kills.push(...afterKill(what, ours, peer));
  }
  const alone = await inNetwork("ours", async (it) => then(it, await killedInStart(it, killAlone), ["destroy"]));
  kills.push(...afterKill("SIGKILL of planloom, not of its agent, when the first activity exists", [alone]));
  const head = { what: "Golem network of one machine", ours: "planloom, debug build", peer: `dapp-runner ${version(program)}` };
  return [head, ...states(normal), ...times(normal), ...ends(normal), ...kills];
}

/** Runs a scenario with a tool in a network and a folder of their own, and leaves nothing of them. */
async function within(target, tool, scenario) {
  const network = await golemNetwork(target);
  const folder = mkdtempSync(join(tmpdir(), "planloom-bench-golem-"));
  try {
    const port = await freePort();
    const [file, work] = [join(folder, "app.yaml"), join(folder, "work")];
    writeFileSync(file, descriptor(network.registry, port));
    mkdirSync(work);
    try {
      return await scenario(tool({ network, folder: work, descriptor: file, port }));
    } finally {
      kill({ folder });
    }
  } finally {
    await network.stop();
    if (process.env.PLANLOOM_KEEP) console.log(`kept: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

async function normally(tool) {
  const started = await untilRunning(tool);
  const outputs = tool.outputs?.();
  const during = counted(await open(tool.network));
  const begin = performance.now();
  const exited = (await tool.end()) - begin;
  const atEnd = await open(tool.network);
  const ended = await untilNothing(tool, begin);
  return { ...started, outputs, during, exited, atEnd, ended, states: tool.states };
}

async function killedInStart(tool, how = kill) {
  const { child } = tool.start();
  while ((await activities(tool.network)).length === 0) await pause(10);
  return killed(tool, child, how);
}

async function killedRunning(tool) {
  const { child } = await untilRunning(tool);
  return killed(tool, child, kill);
}

/** What is open at the kill, and later. */
async function killed(tool, child, how) {
  how(tool, child);
  const at = await open(tool.network);
  await pause(LATER);
  return { at, later: await open(tool.network) };
}

function killAlone(_, child) {
  child.kill("SIGKILL");
}

/** What is open after each of these commands of ours. */
async function then(tool, killed, verbs) {
  const after = [];
  for (const verb of verbs) {
    const begin = performance.now();
    const failed = await tool.run(verb).ended.then(() => undefined, (error) => error.message);
    const seconds = (performance.now() - begin) / 1000;
    if (failed) console.log(failed);
    const found = await open(tool.network);
    const answers = verb === "apply" ? await untilAnswer(tool.port, LATEST) : undefined;
    const proxy = answers && (Number.isFinite(answers) ? `after ${((answers - begin) / 1000).toFixed(1)} s` : "NOT");
    after.push({ verb, seconds, failed, proxy, open: found });
  }
  return { ...killed, after };
}

/** Starts an application: the milliseconds until its services were reported as running, and until its proxy answered. */
async function untilRunning(tool) {
  const begin = performance.now();
  const { child, running } = tool.start();
  const [reported, proxy] = await Promise.all([running, untilAnswer(tool.port)]);
  if (reported === undefined) throw new Error(`${tool.name} ended before all ran`);
  return { child, reported: reported - begin, proxy: proxy - begin, both: Math.max(reported, proxy) - begin };
}

/** When the proxy answered; infinite if it did not within these milliseconds. */
async function untilAnswer(port, within = 300_000) {
  const end = performance.now() + within;
  while (!(await answering(port))) {
    if (performance.now() > end) return Infinity;
    await pause(20);
  }
  return performance.now();
}

async function answering(port) {
  const answer = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(5000) }).catch(() => null);
  const text = await answer?.text().catch(() => "");
  return answer?.ok === true && text.startsWith("simulated provider");
}

/** The milliseconds until nothing was open, or what was still open at last. */
async function untilNothing({ network }, begin) {
  for (;;) {
    const found = await open(network);
    if (isEmpty(found)) return performance.now() - begin;
    if (performance.now() - begin > LATEST) return counted(found);
    await pause(50);
  }
}

function states(normal) {
  return ["db", "web"].map((name) => {
    const of = (tool) => [...new Set(normal[tool].map(({ states }) => states[name].join(" → ")))].join(" or ");
    const outputs = [...new Set(normal.ours.map(({ outputs }) => outputs[name]))].join(" or ");
    const [ours, peer] = [of("ours"), of("peer")];
    const [goal, met] = ["the same in the same order", ours === peer];
    return { what: `states of ${name}`, ours: `${ours}; in the state after apply: ${outputs}`, peer, goal, met };
  });
}

function times(normal) {
  const row = (what, key) => {
    const [ours, peer] = ["ours", "peer"].map((tool) => normal[tool].map((it) => it[key]));
    const ratio = [ours, peer].flat().every(Number.isFinite) ? `${(summary(ours).median / summary(peer).median).toPrecision(2)}×` : "";
    return { what, ours: seconds(ours), peer: seconds(peer), ratio, values: { ours, peer } };
  };
  return [
    row("start to all running and proxy answers, median", "both"),
    row("… to all reported as running, median", "reported"),
    row("… to first answer of the proxy, median", "proxy"),
    row("end to exit of the tool, median", "exited"),
    row("end to nothing open at the daemon, median", "ended"),
  ];
}

function ends(normal) {
  const row = (what, of) => ({ what, ...Object.fromEntries(["ours", "peer"].map((tool) => [tool, each(normal[tool].map(of))])) });
  const after = row("open after the normal end", ({ atEnd }) => counted(atEnd));
  return [row("open while running", ({ during }) => during), { ...after, goal: "nothing", met: after.ours === "nothing" }];
}

function afterKill(kill, ours, peer) {
  const row = (what, key) => ({ what, ours: each(ours.map((it) => counted(it[key]))), peer: peer && counted(peer[key]) });
  const next = ours.map(({ after }) => {
    const what = `… after ${after.map(({ verb }) => verb).join(", then ")}`;
    const met = isEmpty(after.at(-1).open) && after.every(({ failed, proxy }) => !failed && proxy !== "NOT");
    return { what, ours: after.map(said).join("; "), peer: peer && "has no command for it", goal: after.length > 1 ? "all runs, then nothing" : "nothing", met, after };
  });
  return [row(`${kill}: open at once`, "at"), row(`… ${LATER / 1000} s later`, "later"), ...next];
}

function said({ verb, seconds, failed, proxy, open }) {
  const how = `${verb}${failed ? " FAILED" : ""} (${seconds.toFixed(1)} s)`;
  return `${how}: ${counted(open)}${proxy ? `, proxy answers ${proxy}` : ""}`;
}

/** `4.21 s (4.18, 4.21, 4.40)` */
function seconds(list) {
  const each = (it) => (Number.isFinite(it) ? `${(it / 1000).toFixed(2)} s` : `never: ${it}`);
  if (!list.every(Number.isFinite)) return list.map(each).join(", ");
  const values = list.map((it) => (it / 1000).toFixed(2));
  return `${(summary(list).median / 1000).toFixed(2)} s (${values.join(", ")})`;
}

function version(program) {
  const words = ["-c", "import importlib.metadata; print(importlib.metadata.version('dapp-runner'))"];
  return execFileSync(join(dirname(program), "python"), words, { encoding: "utf8" }).trim();
}

/** What all have in common, or each. */
function each(list) {
  return new Set(list).size === 1 ? list[0] : list.join(" | ");
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
