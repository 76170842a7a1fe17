// The function of `planloom/simulation`, over that of its WebAssembly module.
import { simulate as run } from "./planloom_simulation.js";

let loaded = false;

/** Has to be called after the WebAssembly file is loaded. */
export function setLoaded() {
  loaded = true;
}

export async function simulate(options, onStep = () => {}) {
  if (!loaded) throw coded("wasm/not-ready", "planloom/simulation is not loaded: `await init()` first");
  if (typeof onStep !== "function") throw coded("wasm/bad-argument", "`onStep` must be a function");
  return run(JSON.stringify(options ?? {}), onStep);
}

function coded(code, message) {
  return Object.assign(new Error(message), { code });
}
