// After each build: removes the preload of the worker that applies, which is loaded when it is needed, and adds the script
// that reloads the page if `cargo xtask serve` requests it. Trunk's own is inline, and the content security policy
// that is shipped allows none.
import { copyFile, readFile, writeFile } from "node:fs/promises";

const { PLANLOOM_RELOADS: reloads, TRUNK_STAGING_DIR: site } = process.env;

const page = await readFile(`${site}/index.html`, "utf8");
const later = page.replaceAll(/<link rel="modulepreload" href="[^"]*planloom-apply[^"]*"[^>]*>\s*/g, "");
const script = '<script type="module" src="./reload.js"></script>';
const served = reloads ? later.replace("</head>", `${script}</head>`) : later;
if (served !== page) await writeFile(`${site}/index.html`, served);

if (reloads) {
  await copyFile(new URL("reload.js", import.meta.url), `${site}/reload.js`);
  await writeFile(`${site}/built.txt`, new Date().toISOString());
}
