// The functions of `planloom/simulation` and `planloom/adapters`, which are parts of the engine's module.
import { runEngine } from "./planloom.js";

const loaded = new Set();

/** Has to be called after a part is loaded. */
export const setLoaded = (part) => loaded.add(part);

export const simulate = (options, onStep) => run("simulation", true, options, onStep);
export const plan = (options) => runAt(false, options);
export const apply = (options, onStep) => runAt(true, options, onStep);

function runAt(applies, options, onStep) {
  const { backend, ...rest } = options ?? {};
  return run("adapters", applies, rest, onStep, backend);
}

async function run(part, applies, options, onStep = () => {}, backend) {
  if (!loaded.has(part)) throw coded("wasm/not-ready", `planloom/${part} is not loaded: \`await init()\` first`);
  if (typeof onStep !== "function") throw coded("wasm/bad-argument", "`onStep` must be a function");
  return runEngine(part === "simulation", [applies, JSON.stringify(options ?? {}), onStep, backend]);
}

function coded(code, message) {
  return Object.assign(new Error(message), { code });
}
