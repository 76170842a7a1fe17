// After each build: splits the page and its engine into what every visit loads and parts that load when they are needed.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const { TRUNK_STAGING_DIR: site, TRUNK_PROFILE: profile } = process.env;
// The profile of each is in `index.html`, and is used with `--release` only.
if (profile === "debug") throw new Error("Trunk builds what ships, with `--release`; `cargo xtask serve` is for development");

/** What is shipped is made small. */
const OPTIONS = [
  "-Oz",
  "--one-caller-inline-max-function-size=0",
  "--converge",
  // Functions of one name are one for several types: beside each other, they compress better.
  "--reorder-functions-by-name",
  "--enable-bulk-memory",
  "--enable-multivalue",
  "--enable-mutable-globals",
  "--enable-nontrapping-float-to-int",
  "--enable-reference-types",
  "--enable-sign-ext",
];

const { target_directory: target } = JSON.parse(
  execFileSync("cargo", ["metadata", "--format-version", "1", "--no-deps", "--offline"], { maxBuffer: 1 << 26 }),
);
const built = (program, of) => `${target}/wasm32-unknown-unknown/${of}/${program}.wasm`;

// Much of it takes one processor, so all are made at once.
await Promise.all([split(built("planloom-engine", "engine"), "planloom-engine"), splitPage(built("planloom-web", "engine"))]);
// Hooks of one stage run side by side, and this is about what the split has made.
await import("./minify.mjs");
await import("./offline.mjs");

async function split(module, name, ...more) {
  const path = fileURLToPath(new URL("../parts/split.mjs", import.meta.url));
  const child = spawn(process.execPath, [path, module, name, site, ...OPTIONS, ...more], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${name}: split.mjs failed`);
}

/** The page's files are called by what is in them, so that a browser that has older ones does not mix them. */
async function splitPage(module) {
  const index = `${site}/index.html`;
  const html = readFileSync(index, "utf8");
  const [before] = html.match(/planloom-web-[0-9a-f]+/);
  const name = `planloom-web-${createHash("sha256").update(readFileSync(module)).digest("hex").slice(0, 16)}`;
  readdirSync(site).filter((file) => file.startsWith(before)).forEach((file) => rmSync(`${site}/${file}`));
  // Nothing shows what a panic of the page says; that of a worker is shown, so its messages stay.
  await split(module, name, "--trap-at-panics", "--first=plan");
  writeFileSync(index, html.replaceAll(before, name));
}
