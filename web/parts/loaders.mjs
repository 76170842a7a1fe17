// The script that loads the parts of a module.
import { readFileSync } from "node:fs";

/** The text of `NAME_parts.js`, from a map of the parts to their files, and all files. */
export function loaders(name, parts, files) {
  const template = readFileSync(new URL("parts.js", import.meta.url), "utf8");
  const lists = [...parts].map(([part, own]) => `  ${part}: ${JSON.stringify(own)},\n`);
  // Bundlers look for exactly this expression to find a file.
  const urls = files.map((it) => `  "${it}": () => new URL("./${it}", import.meta.url),\n`);
  const exports = [...parts.keys()].map((it) => `export const __wasm_split_load_${it} = loader("${it}");\n`);
  const filled = template
    .replace('"MAIN"', `"./${name}.js"`)
    .replace("const FILES = {};", `const FILES = {\n${lists.join("")}};`)
    .replace("const URLS = {};", `const URLS = {\n${urls.join("")}};`);
  return filled + exports.join("");
}
