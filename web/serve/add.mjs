// After each build: removes the preload of the worker that applies, which is loaded when it is needed.
import { readFile, writeFile } from "node:fs/promises";

const { TRUNK_STAGING_DIR: site } = process.env;

const page = await readFile(`${site}/index.html`, "utf8");
const later = page.replaceAll(/<link rel="modulepreload" href="[^"]*planloom-apply[^"]*"[^>]*>\s*/g, "");
if (later !== page) await writeFile(`${site}/index.html`, later);
