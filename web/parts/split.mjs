// Splits a WebAssembly module into a main module and its parts, with what loads them:
// `node split.mjs MODULE.wasm NAME FOLDER [OPTION…]`; the options are wasm-opt's, and `--omit-default-module-path` is
// wasm-bindgen's.
//
// FOLDER gets NAME.js and NAME_bg.wasm, as wasm-bindgen makes them, NAME_parts.js, and a file for each part.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [module, name, folder, ...all] = process.argv.slice(2);
const OF_BINDGEN = ["--omit-default-module-path"];
const options = all.filter((option) => !OF_BINDGEN.includes(option));
const work = mkdtempSync(join(tmpdir(), "planloom-split-"));
const run = (program, ...args) => execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });

try {
  run("wasm_split_cli", module, work);
  mkdirSync(folder, { recursive: true });
  bind();
  const files = readdirSync(work).filter((file) => file.endsWith(".wasm") && file !== "main.wasm");
  const parts = partsOf(readFileSync(join(work, "__wasm_split.js"), "utf8"));
  optimise(join(folder, `${name}_bg.wasm`), `${name}_bg.wasm`);
  for (const file of files) optimise(join(work, file), renamed(file));
  writeFileSync(join(folder, `${name}_parts.js`), loaders(parts, files));
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The table of functions, which the parts use, is one of the exports that have to be kept. */
function bind() {
  const own = all.filter((option) => OF_BINDGEN.includes(option));
  const options = ["--target", "web", "--no-typescript", "--keep-lld-exports", ...own, "--out-name", name];
  run("wasm-bindgen", ...options, "--out-dir", folder, join(work, "main.wasm"));
  const script = join(folder, `${name}.js`);
  // What is imported from that file is imported once for each part; once will do.
  const [first, ...again] = [...readFileSync(script, "utf8").matchAll(/import \* as (\w+) from "\.\/__wasm_split\.js"\n/g)];
  let text = readFileSync(script, "utf8").replace(first[0], `import * as ${first[1]} from "./${name}_parts.js";\n`);
  for (const [line, variable] of again) {
    text = text.replace(line, "").replace(`"./__wasm_split.js": ${variable},\n`, "");
  }
  writeFileSync(script, text);
}

function optimise(from, to) {
  run("wasm-opt", ...options, "--strip-debug", "--strip-producers", from, "-o", join(folder, to));
}

/** `split_versions.wasm` is `planloom_versions.wasm`, `chunk_5.wasm` what several parts have in common. */
function renamed(file) {
  return `${name}_${file.replace(/^split_/, "").replace(/^chunk_/, "shared_")}`;
}

/** The files of each part, from the script that the splitting tool writes. */
function partsOf(script) {
  const urls = new Map();
  for (const [, variable, file] of script.matchAll(/const (\w+) = makeLoad\(new URL\("\.\/(\S+?)", /g)) {
    urls.set(variable, file);
  }
  const loads = /export const __wasm_split_load_(\w+) = wrapAsyncCb\(makeLoad\(new URL\("\.\/(\S+?)", [^[]*\[([^\]]*)\]/g;
  const parts = [...script.matchAll(loads)].map(([, part, file, deps]) => {
    const chunks = deps.split(",").map((it) => it.trim()).filter(Boolean);
    return [part, [...chunks.map((it) => urls.get(it)), file]];
  });
  if (parts.length === 0 || parts.some(([, files]) => files.includes(undefined))) {
    throw new Error("what the splitting tool wrote is not understood");
  }
  return new Map(parts.sort());
}

function loaders(parts, files) {
  const template = readFileSync(new URL("parts.js", import.meta.url), "utf8");
  const lists = [...parts].map(([part, own]) => `  ${part}: ${JSON.stringify(own.map(renamed))},\n`);
  // Bundlers look for exactly this expression to find a file.
  const urls = files.map((it) => `  "${renamed(it)}": () => new URL("./${renamed(it)}", import.meta.url),\n`);
  const exports = [...parts.keys()].map((it) => `export const __wasm_split_load_${it} = loader("${it}");\n`);
  const filled = template
    .replace('"MAIN"', `"./${name}.js"`)
    .replace("const FILES = {};", `const FILES = {\n${lists.join("")}};`)
    .replace("const URLS = {};", `const URLS = {\n${urls.join("")}};`);
  return filled + exports.join("");
}
