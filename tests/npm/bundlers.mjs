// The package through bundlers, none of which is configured for it.
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { WORKER_RESULT } from "./fixtures/shared/remote.js";
import { check, equal, resultOf, run, serving } from "./harness.mjs";

export async function bundles({ here, work, browser, expected }) {
  const same = (result) => equal(result, expected, "the result");
  const open = async (address) => same(await resultOf(browser, address));
  const folder = (name) => {
    cpSync(join(here, "fixtures", name), join(work, name), { recursive: true });
    cpSync(join(here, "fixtures/shared"), join(work, name), { recursive: true });
    return join(work, name);
  };

  const vite = folder("vite");
  await check("Vite builds it", async () => {
    await viteBuild(vite);
    await serving(join(vite, "dist"), open);
  });
  await check("Vite serves it to developers", () => viteServe(vite, open));

  const webpack = folder("webpack");
  await check("webpack builds it for browsers", async () => {
    await webpackBuild(webpack, { entry: "./main.js", target: "web", out: "web" });
    cpSync(join(here, "fixtures/page/index.html"), join(webpack, "web/index.html"));
    await serving(join(webpack, "web"), open);
  });
  await check("esbuild builds it", async () => {
    await esbuildBuild(folder("esbuild"));
    await serving(join(work, "esbuild/dist"), open);
  });
  for (const name of ["vite", "webpack", "esbuild"]) {
    await check(`${name} builds a page with the engine in a worker`, async () => {
      const built = await remoteBuild(name, join(work, name), join(here, "fixtures/page/remote.html"));
      await serving(built, async (address) => equal(await resultOf(browser, `${address}remote.html`), WORKER_RESULT, "the result"));
    });
  }
  await check("webpack builds it for Node", async () => {
    await webpackBuild(webpack, { entry: "./node.js", target: "node20", out: "node" });
    same(await run(process.execPath, [join(webpack, "node/main.js")]));
  });
}

async function viteBuild(root) {
  const { build } = await import("vite");
  await build({ root, configFile: false, logLevel: "error" });
}

async function viteServe(root, open) {
  const { createServer } = await import("vite");
  const server = await createServer({ root, configFile: false, logLevel: "error", server: { host: "127.0.0.1" } });
  try {
    await server.listen(0);
    await open(server.resolvedUrls.local[0]);
  } finally {
    await server.close();
  }
}

/** esbuild leaves `new URL(…)` as it is, so the WebAssembly files have to be beside what it builds. */
async function esbuildBuild(root, entries = ["main.js"]) {
  const { build } = await import("esbuild");
  const entryPoints = entries.map((it) => join(root, it));
  await build({ entryPoints, bundle: true, format: "esm", outdir: join(root, "dist"), logLevel: "error", minify: true });
  const installed = join(root, "../node_modules/planloom/dist");
  const wasm = readdirSync(installed).filter((name) => name.endsWith(".wasm"));
  wasm.forEach((name) => cpSync(join(installed, name), join(root, "dist", name)));
  cpSync(join(root, "index.html"), join(root, "dist/index.html"));
}

/** Builds the page `remote.html` with a bundler; returns the folder with it. */
async function remoteBuild(name, root, page) {
  if (name === "vite") {
    const { build } = await import("vite");
    cpSync(page, join(root, "remote.html"));
    const options = { outDir: "remote", rolldownOptions: { input: join(root, "remote.html") } };
    await build({ root, base: "./", configFile: false, logLevel: "error", build: options });
    return join(root, "remote");
  }
  if (name === "webpack") {
    await webpackBuild(root, { entry: "./remote_main.js", target: "web", out: "remote" });
    cpSync(page, join(root, "remote/remote.html"));
    cpSync(join(root, "remote/main.js"), join(root, "remote/remote_main.js"));
    return join(root, "remote");
  }
  await esbuildBuild(root, ["remote_main.js", "remote_thread.js"]);
  cpSync(page, join(root, "dist/remote.html"));
  return join(root, "dist");
}

async function webpackBuild(context, { entry, target, out }) {
  const { default: webpack } = await import("webpack");
  const output = { path: join(context, out), filename: "main.js" };
  const performance = { hints: false }; // how large a page may be is not the package's business
  const compiler = webpack({ context, entry, target, mode: "production", devtool: false, performance, output });
  const stats = await new Promise((resolve, reject) => {
    compiler.run((error, stats) => (error ? reject(error) : resolve(stats)));
  });
  await new Promise((resolve) => compiler.close(resolve));
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
  const problems = [...errors, ...warnings].map(({ message }) => message);
  if (problems.length > 0) throw new Error(problems.join("\n"));
}
