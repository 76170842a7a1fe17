// The engine's phases, apart from each other: `tests/bench/engine`, the same crates with the same optimisation.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What a new instance exports. */
export function instantiate(target) {
  const module = new WebAssembly.Module(readFileSync(join(target, "bench-engine.wasm")));
  return new WebAssembly.Instance(module, unused(module)).exports;
}

/** What the zip library could ask of JavaScript; no phase must. */
function unused(module) {
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = () => {
      throw new Error(`the engine called ${name}`);
    };
  }
  return imports;
}
