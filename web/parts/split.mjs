// Splits a WebAssembly module into a main module and its parts, with what loads them:
// `node split.mjs MODULE.wasm NAME FOLDER [OPTION…]`; the options are wasm-opt's, but `--omit-default-module-path`, which is
// wasm-bindgen's, `--trap-at-panics`: panics keep no message, and `--first=PART`: what that part shares with others is a file
// of its own, because it is loaded before all others.
//
// `PLANLOOM_SPLITTER` names the program of the folder `splitter`. FOLDER gets NAME.js and NAME_bg.wasm, as wasm-bindgen makes them, NAME_parts.js, and a file for each part.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importsOf, KIND, renameImports } from "./imports.mjs";
import { loaders } from "./loaders.mjs";
import { Optimiser } from "./optimiser.mjs";
import { trapAtPanics } from "./panics.mjs";
import { joinSegments } from "./segments.mjs";

const [module, name, folder, ...all] = process.argv.slice(2);
const OF_BINDGEN = ["--omit-default-module-path"];
const TRAP = "--trap-at-panics";
const FIRST = "--first=";
const options = all.filter((option) => !OF_BINDGEN.includes(option) && option !== TRAP && !option.startsWith(FIRST));
const first = all.find((option) => option.startsWith(FIRST))?.slice(FIRST.length);
const work = mkdtempSync(join(tmpdir(), "planloom-split-"));
const optimiser = new Optimiser([...options, "--strip-debug", "--strip-producers", "--strip-target-features"]);
const run = (program, ...args) => execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });

/** The files that contain all pieces that are too small to be fetched separately: those of the first part, and the others. */
const SHARED_FIRST = "shared_first.wasm";
const SHARED = "shared.wasm";
/** Parts share many small files: those below this number of bytes are joined. */
const SMALL = 16_000;
/** How far apart data segments of the main module may be to be joined: below, the address of another takes more bytes. */
const GAP = 64;

try {
  run(process.env.PLANLOOM_SPLITTER, module, work);
  mkdirSync(folder, { recursive: true });
  bind();
  const main = join(folder, `${name}_bg.wasm`);
  shortenNames(main);
  trap(main);
  const files = readdirSync(work).filter((file) => file.endsWith(".wasm") && file !== "main.wasm");
  const paths = files.map((it) => join(work, it));
  paths.forEach(trap);
  await Promise.all([main, ...paths].map((file) => optimiser.run(file, file)));
  // It is there before its parts, so that what is between its data belongs to none of them yet.
  writeFileSync(main, joinSegments(readFileSync(main), GAP));
  const script = readFileSync(join(work, "__wasm_split.js"), "utf8");
  const pieces = piecesOf(script);
  const shipped = await shippedAs(files, pieces);
  // A joined file is listed before those that are in it, so it is the one that is kept.
  const written = new Map([...shipped].reverse().map(([file, as]) => [as, file]));
  for (const [as, file] of written) writeFileSync(join(folder, as), joinSegments(readFileSync(join(work, file)), 0));
  const parts = new Map([...pieces].map(([part, own]) => [part, [...new Set(own.map((it) => shipped.get(it)))]]));
  writeFileSync(join(folder, `${name}_parts.js`), loaders(name, parts, [...written.keys()]));
} finally {
  await optimiser.close();
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

/**
 * Gives what the script provides to the module short names. wasm-bindgen's end with 16 digits of a hash, which no compression
 * makes smaller, in both files. A name that the script has anywhere else is left as it is.
 */
function shortenNames(main) {
  const script = join(folder, `${name}.js`);
  let text = readFileSync(script, "utf8");
  const short = new Map();
  for (const { name: long } of importsOf(readFileSync(main))) {
    const places = long.startsWith("__wbg_") ? text.split(new RegExp(`\\b${long}\\b`)) : [];
    if (short.has(long) || places.length !== 2) continue;
    short.set(long, `_${short.size.toString(36)}`);
    text = places.join(short.get(long));
  }
  writeFileSync(script, text);
  writeFileSync(main, renameImports(readFileSync(main), short));
}

/** Before a module loses the names of its functions. */
function trap(file) {
  if (all.includes(TRAP)) writeFileSync(file, trapAtPanics(readFileSync(file)));
}

/**
 * What each file is shipped as: `split_versions.wasm` as `planloom_versions.wasm`, a large `chunk_5.wasm`, which several
 * parts have in common, as `planloom_shared_5.wasm`; the small ones are joined, and all of the first part by themselves.
 */
async function shippedAs(files, pieces) {
  const chunks = files.filter((file) => file.startsWith("chunk_"));
  const early = chunks.filter((file) => pieces.get(first)?.includes(file));
  const late = chunks.filter((file) => !early.includes(file) && statSync(join(work, file)).size < SMALL);
  const small = [...early, ...late];
  const as = (file) => `${name}_${file.replace(/^split_/, "").replace(/^chunk_/, "shared_")}`;
  const shipped = files.filter((file) => !small.includes(file)).map((file) => [file, as(file)]);
  for (const [joined, own] of [[SHARED_FIRST, early], [SHARED, late]]) {
    if (own.length === 0) continue;
    await joinAll(own, joined);
    shipped.push([joined, as(joined)], ...own.map((file) => [file, as(joined)]));
  }
  return new Map(shipped);
}

/** Joins modules that all import the same memory: one takes it from `main`, and gives it to the others. */
async function joinAll(files, name) {
  const base = join(work, "base");
  const imports = files.flatMap((file) => importsOf(readFileSync(join(work, file))));
  const size = (kind) => Math.max(0, ...imports.filter((it) => it.kind === kind).map((it) => it.size));
  writeFileSync(`${base}.wat`, `(module
    (import "main" "memory" (memory $memory ${size(KIND.memory)})) (export "memory" (memory $memory))
    (import "main" "__indirect_function_table" (table $table ${size(KIND.table)} funcref)) (export "__indirect_function_table" (table $table))
    (import "main" "__stack_pointer" (global $pointer (mut i32))) (export "__stack_pointer" (global $pointer)))`);
  const features = options.filter((option) => option.startsWith("--enable-"));
  run("wasm-as", ...features, `${base}.wat`, "-o", `${base}.wasm`);
  const modules = files.flatMap((file) => [join(work, file), file]);
  const joined = join(work, name);
  run("wasm-merge", ...features, "--skip-export-conflicts", `${base}.wasm`, "__wasm_split", ...modules, "-o", joined);
  await optimiser.run(joined, joined);
}

/** The files that the splitting tool made of each part, from the script that it writes. */
function piecesOf(script) {
  const urls = new Map();
  for (const [, variable, file] of script.matchAll(/const (\w+) = makeLoad\(new URL\("\.\/(\S+?)", /g)) {
    urls.set(variable, file);
  }
  const loads = /export const __wasm_split_load_(\w+) = wrapAsyncCb\(makeLoad\(new URL\("\.\/(\S+?)", [^[]*\[([^\]]*)\]/g;
  const parts = [...script.matchAll(loads)].map(([, part, file, deps]) => {
    const chunks = deps.split(",").map((it) => it.trim()).filter(Boolean).map((it) => urls.get(it));
    if (chunks.includes(undefined)) throw new Error(`${part}: a file that the splitting tool does not name`);
    return [part, [...chunks, file]];
  });
  if (parts.length === 0) throw new Error("what the splitting tool wrote is not understood");
  return new Map(parts.sort());
}
