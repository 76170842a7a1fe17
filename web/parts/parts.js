// The parts of a module that the build took out of it: fetched when they are needed, with the memory of the main module.
// The build puts the names in: FILES are those of each part, URLS where each file is.
import { initSync } from "MAIN";

const FILES = {};
const URLS = {};

const instantiated = new Set();
const loading = new Map();

/** Whether a part is loaded. */
const isLoaded = (part) => FILES[part].every((file) => instantiated.has(file));

/** What the files of parts import; only once the main module runs. */
function shared() {
  const { memory, __indirect_function_table, __stack_pointer } = initSync();
  const main = { memory, __indirect_function_table, __stack_pointer };
  return { __wasm_split: main, main };
}

/** Fetches and instantiates a part. */
export const loadPart = (part) => Promise.all(FILES[part].map(loadFile));

/** Several parts may have a file in common, which is instantiated once. What failed may be tried again. */
function loadFile(file) {
  if (!loading.has(file)) {
    loading.set(file, instantiate(file).catch((error) => { loading.delete(file); throw error; }));
  }
  return loading.get(file);
}

async function instantiate(file) {
  const module = await compile(URLS[file]());
  // It may have been read synchronously in the meantime.
  if (!instantiated.has(file)) await WebAssembly.instantiate(module, shared());
  instantiated.add(file);
}

async function compile(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  // Not every server says that a file is WebAssembly, which compiling while it loads would need.
  return WebAssembly.compile(await response.arrayBuffer());
}

/** The same at once, where `read` gives a file's bytes. */
export function loadPartNow(part, read) {
  for (const file of FILES[part].filter((it) => !instantiated.has(it))) {
    new WebAssembly.Instance(new WebAssembly.Module(read(URLS[file]())), shared());
    instantiated.add(file);
  }
}

/** Called by the main module to load a part; calls back immediately if it is already loaded. */
const loader = (part) => async (callback, data) => {
  if (!isLoaded(part)) await loadPart(part).catch((error) => console.error(error));
  initSync().__indirect_function_table.get(callback)(data, isLoaded(part));
};

/** The names of all parts. */
export const PARTS = Object.keys(FILES);
