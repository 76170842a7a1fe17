// Layered layout of the same graphs, with the same sizes of nodes and the same direction: how long it takes, how many edges
// cross, and how long they are in all. Crossings are counted for all in one way, where the lines that are drawn cross.
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { clustered, dense, sparse } from "./graphs.mjs";
import { milliseconds, summary } from "./measure.mjs";

/** After so many milliseconds a run is given up; what takes longer than that other number is run once. */
const PATIENCE = 300_000;
const LONG = 3_000;

/** What is drawn: what it is called, graphs of several seeds, how often each is drawn. */
const FAMILIES = [
  { what: "100 sparse nodes", graphs: [1, 2, 3].map((seed) => sparse(100, seed)), reps: 15 },
  { what: "300 sparse nodes", graphs: [1, 2, 3].map((seed) => sparse(300, seed)), reps: 10 },
  { what: "1,000 sparse nodes", graphs: [1, 2, 3].map((seed) => sparse(1000, seed)), reps: 5 },
  { what: "186 nodes of 12 teams", graphs: [1, 2, 3].map((seed) => clustered(12, seed)), reps: 10 },
  { what: "50 dense nodes, 240 edges", graphs: [1, 2, 3].map((seed) => dense(50, 240, seed)), reps: 10 },
  { what: "200 dense nodes, 2,000 edges", graphs: [dense(200, 2000, 1)], reps: 3 },
];

const PEERS = ["Graphviz", "elkjs", "dagre"];

export async function layout({ target }) {
  const rows = [];
  for (const family of FAMILIES) {
    const results = {};
    for (const name of ["planloom", ...PEERS]) {
      results[name] = await draw(name, family, target);
      console.log(`layout of ${family.what}, ${name}: ${told(results[name])}`);
    }
    rows.push(...PEERS.map((peer) => row(family, results.planloom, peer, results[peer])));
  }
  return rows;
}

function row({ what, graphs }, ours, peer, theirs) {
  const many = `${graphs.length > 1 ? `${graphs.length} graphs of ` : ""}${what}`;
  const goal = peer === "Graphviz" ? "quicker, fewer crossings" : "quicker";
  const line = { what: `layout of ${many}`, ours: told(ours), goal, times: { ours, [peer]: theirs } };
  if (theirs.waited) return { ...line, peer: `${peer} ${told(theirs)}`, ratio: "", met: true };
  const ratio = theirs.median / ours.median;
  const met = ratio > 1 && (peer !== "Graphviz" || ours.crossings < theirs.crossings);
  return { ...line, peer: `${peer} ${told(theirs)}`, ratio: `${ratio.toFixed(1)}×`, met };
}

function told({ waited, median, crossings, length }) {
  if (waited) return `given up after ${waited / 1000} s`;
  const number = (it) => Math.round(it).toLocaleString("en");
  return `${milliseconds(median)} ms, ${number(crossings)} crossings, length ${number(length / 1000)}k`;
}

/** The times of all graphs of a family, and the sums of crossings and lengths, by one contender in a thread of its own. */
async function draw(name, { graphs, reps }, target) {
  const worker = new Worker(new URL("layout-worker.mjs", import.meta.url), { workerData: { name, target } });
  const times = [];
  let [crossings, length] = [0, 0];
  try {
    for (const graph of graphs) {
      const first = await answer(worker, { graph, whole: true });
      if (!first) return { waited: PATIENCE };
      [crossings, length] = [crossings + first.crossings, length + first.length];
      if (first.time > LONG) times.push(first.time);
      else for (let turn = 0; turn < reps; turn += 1) times.push((await answer(worker, { graph })).time);
    }
  } finally {
    await worker.terminate();
  }
  return { ...summary(times), crossings, length };
}

/** Nothing if it takes too long. */
async function answer(worker, question) {
  const given = new AbortController();
  const late = wait(PATIENCE, undefined, { signal: given.signal }).catch(() => undefined);
  worker.postMessage(question);
  const drawn = await Promise.race([once(worker, "message"), late]);
  given.abort();
  return drawn?.[0];
}
