// `node --expose-gc run.mjs [ROW…]`: measures the rows named, or all, prints a table and writes `bench.json` into the
// target folder. A goal that is missed is printed as missed and is no failure; a row that cannot be
// measured, or whose outputs are not those of the peer, is one.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const target = process.env.PLANLOOM_TARGET ?? join(root, "target");
const rows = ["size", "parse", "merge", "links", "layout", "keystroke", "graph", "resources", "versions", "catalog", "apply", "services", "load", "regions", "golem"];

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !rows.includes(name));
if (unknown) throw new Error(`no such row: ${unknown}; there are ${rows.join(", ")}`);

const machine = { cpu: cpus()[0].model, cores: cpus().length, node: process.version, load: loadavg()[0] };
console.log(`${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, load ${machine.load.toFixed(1)}`);
if (machine.load > 0.5) console.log("The machine is busy: read the ratios, not the times.");

const results = [];
for (const name of rows) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  try {
    // Only what is measured has to be there.
    const { [name]: row } = await import(`./${name}.mjs`);
    results.push(...(await row({ root, target })));
  } catch (error) {
    console.log(`${name}: ${error.stack ?? error}`);
    process.exitCode = 1;
  }
}

table(results);
const { dependencies = {}, devDependencies: peers } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
writeFileSync(join(target, "bench.json"), `${JSON.stringify({ machine, peers: { ...dependencies, ...peers }, results }, null, 1)}\n`);

/** Each result: what, ours, peer, ratio, goal, met. */
function table(results) {
  const head = { what: "what", ours: "planloom", peer: "peer", ratio: "ratio", goal: "goal", verdict: "" };
  const lines = [head, ...results.map((result) => ({ ...result, verdict: verdict(result) }))];
  const columns = ["what", "ours", "peer", "ratio", "goal", "verdict"];
  const widths = columns.map((column) => Math.max(...lines.map((line) => [...(line[column] ?? "")].length)));
  for (const line of lines) {
    const cells = columns.map((column, index) => (line[column] ?? "") + " ".repeat(widths[index] - [...(line[column] ?? "")].length));
    console.log(cells.join("  ").trimEnd());
  }
}

function verdict({ met }) {
  if (met === undefined) return "";
  return met ? "met" : "MISSED";
}
