// Bundles the editor into dist/editor.js and says how heavy it is. `--watch` keeps rebuilding.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build, context } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const styles = join(here, "src", "styles.ts");
const limit = 150 * 1024;

// CodeMirror writes its rules through style-mod; ours mounts them where a strict content security policy allows it.
const mountStyles = {
  name: "mount-styles",
  setup({ onResolve }) {
    onResolve({ filter: /^style-mod$/ }, ({ importer }) => (importer === styles ? undefined : { path: styles }));
  },
};

const settings = {
  absWorkingDir: here,
  entryPoints: ["src/editor.ts"],
  outfile: "dist/editor.js",
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  sourcemap: "external",
  legalComments: "none",
  logLevel: "warning",
  plugins: [mountStyles],
};

if (process.argv.includes("--watch")) {
  await (await context(settings)).watch();
} else {
  const { outputFiles } = await build({ ...settings, write: false });
  mkdirSync(join(here, "dist"), { recursive: true });
  // Others may read it or build it at the same time: it is there whole, under its name.
  for (const { path, contents } of outputFiles) {
    writeFileSync(`${path}.${process.pid}`, contents);
    renameSync(`${path}.${process.pid}`, path);
  }
  const bytes = readFileSync(join(here, "dist", "editor.js"));
  const packed = gzipSync(bytes, { level: 9 }).length;
  const kilo = (n) => `${(n / 1024).toFixed(1)} KB`;
  const packedWell = brotliCompressSync(bytes).length;
  console.log(`dist/editor.js ${kilo(bytes.length)}, ${packed} of ${limit} bytes gzip, ${kilo(packedWell)} brotli`);
  if (packed > limit) {
    console.error(`dist/editor.js is too large by ${packed - limit} bytes`);
    process.exit(1);
  }
}
