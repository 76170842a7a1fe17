// Optimises a WebAssembly module in its place: `node optimise.mjs MODULE.wasm OPTION…`, with the options of `wasm-opt`.
import { Optimiser } from "./optimiser.mjs";

const [module, ...options] = process.argv.slice(2);
const optimiser = new Optimiser(options);
try {
  await optimiser.run(module, module);
} finally {
  await optimiser.close();
}
