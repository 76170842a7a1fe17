// Builds the elements into a folder: `node element.mjs FOLDER`. The engine beside them is not part of these files.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, "src/element");
const out = resolve(process.argv[2]);

// What is a file of its own in the package, for browsers and for Node.
const separate = {
  name: "apart",
  setup({ onResolve }) {
    const apart = /^\.\/(index|node|simulation|adapters|element_parts|element_codemirror)\.js$/;
    onResolve({ filter: apart }, ({ path }) => ({ path, external: true }));
  },
};

const common = {
  absWorkingDir: source,
  bundle: true,
  target: "es2022",
  loader: { ".css": "text" },
  legalComments: "none",
  logLevel: "warning",
  plugins: [separate],
};

const built = (from, to, options) => build({ ...common, ...options, entryPoints: [from], outfile: join(out, to) });

await Promise.all([
  built("loader.js", "element.js", { format: "esm", minify: true }),
  built("loader.js", "element_script.js", { format: "iife", minify: true }),
  built("parts.js", "element_parts.js", { format: "esm", minify: true }),
  built("render.js", "render.js", { format: "esm", platform: "node" }),
  built("styles/drawn.css", "element_drawn.css", { loader: {}, minify: true }),
  built("styles/light.css", "element.css", { loader: {} }),
]);
for (const name of ["element", "render", "simulation", "adapters"]) {
  const text = readFileSync(join(here, "src", `${name}.d.ts`), "utf8");
  writeFileSync(join(out, `${name}.d.ts`), text);
  writeFileSync(join(out, `${name}.d.cts`), text.replace(/"\.\/(index|simulation|adapters)\.js"/g, '"./$1.cjs"'));
}
writeFileSync(join(out, "element_licences.txt"), licences());
copyFileSync(join(source, "server.js"), join(out, "element_node.js"));
copyFileSync(join(here, "src/custom-elements.json"), join(out, "custom-elements.json"));
copyFileSync(join(here, "../editor/dist/editor.js"), join(out, "element_codemirror.js"));

/** The licences of what is in the code editor's bundle. */
function licences() {
  const home = join(here, "../editor");
  const { packages } = JSON.parse(readFileSync(join(home, "package-lock.json"), "utf8"));
  const bundled = Object.entries(packages).filter(([path, { dev }]) => path !== "" && !dev);
  const each = bundled.map(([path, { version }]) => `${path.replace("node_modules/", "")} ${version}\n\n${readFileSync(join(home, path, "LICENSE"), "utf8").trim()}\n`);
  return `element_codemirror.js contains these packages.\n\n${each.join(`\n${"-".repeat(72)}\n\n`)}`;
}
