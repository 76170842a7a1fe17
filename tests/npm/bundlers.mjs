// The package through bundlers, none of which is configured for it.
import { cpSync } from "node:fs";
import { join } from "node:path";
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
