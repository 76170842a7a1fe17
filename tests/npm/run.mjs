// Packs the npm package and uses it as its users do: in Node, bundlers, a page without one, a worker, TypeScript.
// `CHROME` names the browser. Prints a line a check; the last one is `N passed, N failed`.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { assert, check, equal, finish, packageFolder, resultOf, run, serving, withBrowser } from "./harness.mjs";
import { EXPECTED_CODES } from "./fixtures/shared/consumer.js";
import { EXPECTED_REFUSALS, EXPECTED_WORK } from "./fixtures/shared/controllers.js";
import { WORKER_RESULT } from "./fixtures/shared/remote.js";
import { adapters } from "./adapters.mjs";
import { bundles } from "./bundlers.mjs";
import { commands } from "./commands.mjs";
import { optimiser } from "./optimiser.mjs";
import { simulations } from "./simulation.mjs";
import { served } from "./serve.mjs";
import { declaredCapabilities, types } from "./types.mjs";

/** Bytes of the package without the app, which only its command serves. Ceilings only go down. */
const MOST = { unpacked: 9_540_000, packed: 3_160_000 };

const here = dirname(fileURLToPath(import.meta.url));
const work = mkdtempSync(join(tmpdir(), "planloom-npm-"));

try {
  await everything();
} finally {
  rmSync(work, { recursive: true, force: true });
  finish();
}

async function everything() {
  const tarball = await check("the package packs", pack);
  if (!tarball) return;
  await check("the package holds what it should and nothing else", () => contents(tarball));
  await check("the package is small without the app", small);
  await check("publint finds nothing", () => publint(tarball));
  await check("the types resolve in every mode", () => typesResolve(tarball));
  await check("the package installs offline", () => install(tarball));

  const expected = await check("Node imports it", () => node("esm.mjs"));
  if (!expected) return;
  await check("wrong calls throw errors with codes", () => wrongCalls(expected));
  await check("controllers in JavaScript do their work", () => worked(expected));
  await check("keys of files are kept as they are", () => strangeKeys(expected));
  await check("links have their format and profile", () => links(expected));
  await check("Node requires it", async () => equal(await node("require.cjs"), expected, "the result"));
  await check("importing it prints and leaves nothing", quiet);
  await check("importing what is for browsers on a server is safe", onServer);
  await check("Node runs it in a worker thread", async () => equal(await node("worker.mjs"), WORKER_RESULT, "the result"));
  await check("Node requires the worker", async () => equal(await node("worker.cjs"), WORKER_RESULT, "the result"));
  await check("the JSON Schema is what the engine says", sameSchema);
  await check("the documentation of codes has the codes of problems", documentedCodes);

  await simulations({ here, work });
  await adapters({ work });
  await commands({ here, work });
  await served({ work });
  await optimiser({ here, work });

  await types({ here, work });
  await withBrowser(async (browser) => {
    await bundles({ here, work, browser, expected });
    await pages(browser, expected);
  });
}

async function pack() {
  const listing = JSON.parse(await run("npm", ["pack", "--json", "--pack-destination", work], { cwd: packageFolder }));
  return { path: join(work, listing[0].filename), files: listing[0].files.map((file) => file.path).sort() };
}

function contents({ files }) {
  const first = ["capabilities.js", "entities.js", "index.d.cts", "index.d.ts", "index.js", "node.cjs", "node.js"];
  const parts = declaredCapabilities(join(packageFolder, "dist/index.d.ts")).map((part) => `planloom_${part}.wasm`);
  first.push("planloom.js", "planloom_bg.wasm", "planloom_parts.js", ...parts);
  const second = ["runtime.d.cts", "runtime.d.ts", "runtime.js", "runtime_classes.js", "runtime_node.cjs", "runtime_node.js"];
  const worker = ["worker.d.cts", "worker.d.ts", "worker.js", "worker_client.js", "worker_node.cjs", "worker_node.js", "worker_server.js"];
  worker.push("worker_thread.d.cts", "worker_thread.d.ts", "worker_thread.js", "worker_thread_node.cjs", "worker_thread_node.js");
  const elements = ["custom-elements.json", "element.css", "element.d.cts", "element.d.ts", "element.js", "element_codemirror.js", "element_drawn.css", "element_licences.txt"];
  elements.push("element_node.cjs", "element_node.js", "element_parts.js", "element_script.js", "render.cjs", "render.d.cts", "render.d.ts", "render.js");
  const simulation = ["simulation.d.cts", "simulation.d.ts", "simulation.js", "simulation_node.cjs", "simulation_node.js"];
  const adapter = simulation.map((name) => name.replace("simulation", "adapters"));
  const command = ["command.js", "command_arguments.js", "command_files.js", "codes.json", "schema.json", "serve.js", "serve_answers.js", "serve_disk.js", "serve_files.js", "serve_watch.js"];
  const dist = [...first, "planloom_runtime.js", "planloom_runtime_bg.wasm", ...second, ...worker, ...elements, ...simulation, ...adapter, "runs.js", ...command];
  const expected = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", ...dist.map((name) => `dist/${name}`), "package.json"];
  // What several parts have in common is in files that only the loader knows.
  const named = files.filter((file) => !/planloom_shared(_\d+)?\.wasm$/.test(file) && !file.startsWith("dist/app/"));
  assert(files.includes("dist/app/index.html") && !files.includes("dist/app/service-worker.js"), "the app, without what keeps it");
  equal(named.sort().join("\n"), expected.sort().join("\n"), "the list of files");
}

async function small() {
  const folder = join(work, "small");
  const without = ["dist/app", "node_modules"].map((name) => join(packageFolder, name));
  cpSync(packageFolder, folder, { recursive: true, filter: (path) => !without.includes(path) });
  const [{ size, unpackedSize }] = JSON.parse(await run("npm", ["pack", "--dry-run", "--json"], { cwd: folder }));
  console.log(`     ${unpackedSize} bytes unpacked, ${size} packed`);
  assert(unpackedSize <= MOST.unpacked && size <= MOST.packed, `it has ${unpackedSize} bytes, ${size} packed`);
}

async function publint({ path }) {
  const { publint: lint } = await import("publint");
  const { formatMessage } = await import("publint/utils");
  const tarball = readFileSync(path);
  const buffer = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength);
  const { messages, pkg } = await lint({ pack: { tarball: buffer }, strict: true });
  assert(messages.length === 0, messages.map((message) => formatMessage(message, pkg)).join("\n"));
}

async function typesResolve({ path }) {
  const attw = join(here, "node_modules/.bin/attw");
  await run(attw, [path, "--format", "ascii", "--no-color", "--exclude-entrypoints", "planloom.wasm", "runtime.wasm", "simulation.wasm", "adapters.wasm", "codes.json", "schema.json", "custom-elements.json", "element.css", "element-drawn.css", "element.script.js"]);
}

async function install({ path }) {
  writeFileSync(join(work, "package.json"), '{ "name": "consumer", "private": true }\n');
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--no-save", path], { cwd: work });
  cpSync(join(here, "fixtures/node"), join(work, "node"), { recursive: true });
  cpSync(join(here, "fixtures/shared"), join(work, "node"), { recursive: true });
  writeFileSync(join(work, "node/package.json"), '{ "type": "module" }\n');
}

function node(script) {
  return run(process.execPath, [join(work, "node", script)]);
}

function wrongCalls(result) {
  const { errors, controllers } = JSON.parse(result);
  equal(errors.join("\n"), EXPECTED_CODES.join("\n"), "the codes");
  equal(controllers.errors.join("\n"), EXPECTED_REFUSALS.join("\n"), "the codes of refusals");
}

function worked(result) {
  const { errors, ...rest } = JSON.parse(result).controllers;
  equal(JSON.stringify(rest, null, 1), JSON.stringify(EXPECTED_WORK, null, 1), "what came of it");
}

function strangeKeys(result) {
  const { document } = JSON.parse(result).merged;
  const keys = JSON.stringify(Object.keys(document.meta).sort());
  equal(keys, JSON.stringify(["10", "9", "__proto__", "name"]), "the keys of meta");
}

function links(result) {
  const views = JSON.parse(result).links;
  equal(views.map(({ links }) => `${links.format} ${links.profile}`).join(), "planloom.links/1 bosh,planloom.links/1 strict", "the views");
  for (const { links, map, changes, preview } of views) {
    equal(JSON.stringify(changes), "[]", "what changed since just now");
    equal(`${preview.text} ${preview.diagnostics.map(({ code }) => code)}`, "null preview/no-owner", "a template of nobody");
    equal(JSON.stringify([links.links, links.diagnostics, map.nodes, map.size]), "[[],[],[],[0,0]]", "of who links nothing");
  }
}

/** Neither import nor require may print, set a global or keep the process alive. */
async function quiet() {
  const module = '(await import("planloom"), await import("planloom/runtime"), before.join() === Object.keys(globalThis).join())';
  const required = module.replaceAll("await import", "require");
  const args = (type, code) => [`--input-type=${type}`, "-e", `const before = Object.keys(globalThis); ${code}`];
  const report = (expression) => `console.log(${expression})`;
  equal(await run(process.execPath, args("module", report(module)), { cwd: work }), "true\n", "the import");
  equal(await run(process.execPath, args("commonjs", report(required)), { cwd: work }), "true\n", "the require");
}

/** A server may load what is for browsers, though it has no window; nothing is fetched or started by that. */
async function onServer() {
  const entries = ["index.js", "runtime.js", "simulation.js", "adapters.js", "worker.js"].map((name) => pathToFileURL(join(work, "node_modules/planloom/dist", name)).href);
  entries.push("planloom/element", "planloom/render");
  const code = `for (const entry of ${JSON.stringify(entries)}) await import(entry); console.log(typeof window, typeof customElements);`;
  equal(await run(process.execPath, ["--input-type=module", "-e", code], { cwd: work }), "undefined undefined\n", "the import");
}

async function sameSchema() {
  const code = `import { Workspace } from "planloom"; import schema from "planloom/schema.json" with { type: "json" };
    console.log(JSON.stringify(schema) === JSON.stringify(new Workspace().jsonSchema()), Object.keys(schema).length > 3);`;
  equal(await run(process.execPath, ["--no-warnings", "--input-type=module", "-e", code], { cwd: work }), "true true\n", "the schema");
}

async function documentedCodes() {
  const code = `import { Workspace } from "planloom"; import { codes } from "./reader.mjs";
    const workspace = new Workspace(); workspace.setFiles([{ name: "a.yaml", text: "services: {web: {pyload: p}}" }]);
    const found = workspace.diagnostics().diagnostics.map((it) => codes.find(({ code }) => code === it.code));
    console.log(found.length > 0, found.every((it) => it.title.endsWith(".") && it.severities.includes("error")));`;
  const reader = `import { readFileSync } from "node:fs"; import { createRequire } from "node:module";
    export const { codes } = JSON.parse(readFileSync(createRequire(import.meta.url).resolve("planloom/codes.json"), "utf8"));`;
  writeFileSync(join(work, "reader.mjs"), reader);
  equal(await run(process.execPath, ["--no-warnings", "--input-type=module", "-e", code], { cwd: work }), "true true\n", "the codes");
}

async function pages(browser, expected) {
  const folder = join(work, "page");
  mkdirSync(folder);
  const installed = dirname(createRequire(join(work, "x.js")).resolve("planloom"));
  cpSync(join(here, "fixtures/page"), folder, { recursive: true });
  cpSync(join(here, "fixtures/shared"), folder, { recursive: true });
  cpSync(installed, join(folder, "planloom"), { recursive: true });
  // The strictest policy under which WebAssembly runs.
  const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; img-src data:";
  const headers = { "content-security-policy": policy };
  await serving(
    folder,
    async (address) => {
      const of = async (name) => equal(await resultOf(browser, address + name), expected, "the result");
      await check("a page without a bundler, under a strict policy", () => of("index.html"));
      await check("a worker, with a module compiled elsewhere", () => of("worker.html"));
      const remote = async () => equal(await resultOf(browser, `${address}remote.html`), WORKER_RESULT, "the result");
      await check("a page with the engine in a worker, under the same policy", remote);
    },
    headers,
  );
}
