// After each build: splits the engine into what every visit loads and parts that load when they are needed.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const { TRUNK_STAGING_DIR: site, TRUNK_PROFILE: profile } = process.env;

const OPTIONS = [
  "-Oz",
  "--one-caller-inline-max-function-size=0",
  "--converge",
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
const module = `${target}/wasm32-unknown-unknown/${profile === "debug" ? "debug" : "engine"}/planloom-engine.wasm`;
const split = fileURLToPath(new URL("../parts/split.mjs", import.meta.url));
execFileSync(process.execPath, [split, module, "planloom-engine", site, ...OPTIONS], { stdio: "inherit" });
