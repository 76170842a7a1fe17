// The store and the runtime, natively and in wasm: the same code, `tests/bench/resources`.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What must be kept, natively and in wasm: microseconds of one. */
const BUDGETS = {
  "create, of 100,000": [5, 15],
  "list 100,000": [10_000, 30_000],
  "list 100 of 100,000 by label": [200, 1_000],
  "watch: the state of 100,000": [30_000, 100_000],
  "update, with 100 watches of the same resource": [5, 20],
  "queue of 100,000 keys, in and out": [100_000, 300_000],
  "… the longest without the host's turn": [16_000, 16_000],
};

export async function resources({ target }) {
  const native = JSON.parse(execFileSync(join(target, "measured/planloom-bench-resources"), { encoding: "utf8" }));
  const wasm = inWasm(join(target, "bench-resources.wasm"));
  return native.map((row, index) => result(row, wasm[index]));
}

function inWasm(file) {
  const module = new WebAssembly.Module(readFileSync(file));
  let memory;
  // Memory never shrinks in wasm: what it has grown by is what was needed at most.
  const host = { now: () => performance.now(), bytes: () => memory?.buffer.byteLength ?? 0 };
  const { exports } = new WebAssembly.Instance(module, { host });
  memory = exports.memory;
  const at = exports.run();
  return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, at, exports.length())));
}

function result(native, wasm) {
  if (native.what !== wasm.what) throw new Error(`\`${native.what}\` is not \`${wasm.what}\``);
  const budget = BUDGETS[native.what];
  const goal = budget && `≤ ${shown(budget[0], "µs")}, in wasm ${shown(budget[1], "µs")}`;
  const met = budget && native.each <= budget[0] && wasm.each <= budget[1];
  const ratio = `${(wasm.each / native.each).toFixed(1)}×`;
  const { what, unit } = native;
  return { what, ours: shown(native.each, unit), peer: `in wasm ${shown(wasm.each, unit)}`, ratio, goal, met, native, wasm };
}

function shown(each, unit) {
  if (unit !== "µs") return `${Math.round(each)} ${unit}`;
  return each < 1000 ? `${each.toPrecision(3)} µs` : `${(each / 1000).toPrecision(3)} ms`;
}
