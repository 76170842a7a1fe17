// After a build for release was split: takes white space and comments out of scripts and style sheets, and corrects the digests that
// the page has of them.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const { TRUNK_STAGING_DIR: site } = process.env;
/** The code editor is bundled by esbuild already. */
const DONE = "editor.js";

minify();
correctDigests();

function minify() {
  const esbuild = fileURLToPath(new URL("../editor/node_modules/.bin/esbuild", import.meta.url));
  const files = readdirSync(site, { recursive: true }).filter((file) => /\.(js|css)$/.test(file) && file !== DONE);
  const options = ["--outbase=.", "--outdir=.", "--allow-overwrite", "--minify", "--target=es2022", "--log-level=error"];
  execFileSync(esbuild, [...files, ...options], { cwd: site, stdio: "inherit" });
}

function correctDigests() {
  const index = join(site, "index.html");
  const digest = (file) => `sha384-${createHash("sha384").update(readFileSync(join(site, file))).digest("base64")}`;
  const place = /((?:href|src)="\.\/([^"]+)" integrity=")sha384-[^"]+/g;
  writeFileSync(index, readFileSync(index, "utf8").replace(place, (_, before, file) => before + digest(file)));
}
