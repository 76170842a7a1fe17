// The functions of `planloom/adapters`, over those of its WebAssembly module.
import { apply_at as applyAt, plan_at as planAt } from "./planloom_adapters.js";

let loaded = false;

/** Has to be called after the WebAssembly file is loaded. */
export function setLoaded() {
  loaded = true;
}

export async function plan(options) {
  const { backend, ...rest } = checked(options);
  return planAt(JSON.stringify(rest), backend);
}

export async function apply(options, onStep = () => {}) {
  const { backend, ...rest } = checked(options);
  if (typeof onStep !== "function") throw coded("wasm/bad-argument", "`onStep` must be a function");
  return applyAt(JSON.stringify(rest), backend, onStep);
}

function checked(options) {
  if (!loaded) throw coded("wasm/not-ready", "planloom/adapters is not loaded: `await init()` first");
  return options ?? {};
}

function coded(code, message) {
  return Object.assign(new Error(message), { code });
}
