// The entry for browsers and bundlers: `await init()` loads the WebAssembly file, then everything is synchronous.
import { load as loadCapabilities } from "./capabilities.js";
import { solver } from "./entities.js";
import start, { solveProblem, Workspace as Loaded } from "./planloom.js";

export { Service } from "./capabilities.js";
export { Entities } from "./entities.js";

let loading;
let loaded = false;

export function init(source) {
  loading ??= begin(source).catch((error) => {
    loading = undefined; // A failed download may be tried again.
    throw error;
  });
  return loading;
}

async function begin(source) {
  // Bundlers look for exactly this expression to find the file.
  await start({ module_or_path: source ?? new URL("./planloom_bg.wasm", import.meta.url) });
  loaded = true;
}

export async function load(...names) {
  await init();
  await loadCapabilities(...names);
}

function check() {
  if (loaded) return;
  throw Object.assign(new Error("planloom is not loaded: `await init()` first"), { code: "wasm/not-ready" });
}

export class Workspace extends Loaded {
  constructor() {
    check();
    super();
  }

  static readPackage(name, bytes) {
    check();
    return super.readPackage(name, bytes);
  }
}

const solveLoaded = solver(solveProblem);

export function solve(problem, options) {
  check();
  return solveLoaded(problem, options);
}
