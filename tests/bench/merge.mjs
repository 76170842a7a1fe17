// Merging a large descriptor with many small overlays.
import { deepmerge } from "deepmerge-ts";
import * as jsYaml from "js-yaml";
import { parse as parseYaml } from "yaml";
import { Workspace } from "../../web/npm/dist/node.js";
import { instantiate } from "./engine.mjs";
import { descriptor, overlays } from "./generate.mjs";
import { measure, spread } from "./measure.mjs";

const SERVICES = 1000;
const LAYERS = 20;
const EACH = 50;

export async function merge({ target }) {
  const files = [{ name: "base.yaml", text: descriptor(SERVICES) }, ...overlays(SERVICES, LAYERS, EACH)];
  const layers = files.map(({ text }) => parseYaml(text));
  const engine = phases(target, files);
  check(files, layers, engine);
  const alone = measure({ planloom: () => engine.merge(), "deepmerge-ts": () => deepmerge(...layers) });
  const whole = measure(
    {
      planloom: () => merged(files),
      "yaml + deepmerge-ts": () => deepmerge(...files.map(({ text }) => parseYaml(text))),
      "js-yaml + deepmerge-ts": () => deepmerge(...files.map(({ text }) => jsYaml.load(text))),
    },
    { reps: 15, warm: 3 },
  );
  const row = (what, times, peer, goal) => {
    const ratio = times[peer].median / times.planloom.median;
    const met = goal ? ratio >= 1 : undefined;
    return { what, ours: spread(times.planloom), peer: `${peer} ${spread(times[peer])}`, ratio: `${ratio.toFixed(1)}×`, goal, met, times };
  };
  return [
    row(`merge ${SERVICES} services with ${LAYERS} overlays of ${EACH}, with origins, ms`, alone, "deepmerge-ts", "≥ 1×"),
    row("… from texts to plain data, all problems found, ms", whole, "yaml + deepmerge-ts"),
    row("… from texts to plain data, all problems found, ms", whole, "js-yaml + deepmerge-ts"),
  ];
}

function merged(files) {
  const workspace = new Workspace();
  workspace.setFiles(files);
  const { document } = workspace.merged();
  workspace.free();
  return document;
}

/** Merging alone, of what is already read. */
function phases(target, files) {
  const exports = instantiate(target);
  for (const { text } of files) {
    const bytes = new TextEncoder().encode(text);
    const at = exports.room(bytes.length);
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
    exports.add_layer();
  }
  return { merge: () => exports.merge(), size: () => exports.size(), history: () => exports.history() };
}

/** Same data as the peer, and really with origins. */
function check(files, layers, engine) {
  const expected = JSON.stringify(deepmerge(...layers));
  if (JSON.stringify(merged(files)) !== expected) throw new Error("planloom and deepmerge-ts merge to different data");
  const nodes = count(JSON.parse(expected));
  engine.merge();
  if (engine.size() !== nodes) throw new Error(`the engine's tree has ${engine.size()} nodes, not ${nodes}`);
  if (engine.history() < LAYERS * EACH) throw new Error("the engine did not remember what was replaced");
  console.log(`merge: the same data, ${nodes} nodes; ${engine.history()} places with a history`);
}

function count(value) {
  if (value === null || typeof value !== "object") return 1;
  return 1 + Object.values(value).reduce((sum, child) => sum + count(child), 0);
}
