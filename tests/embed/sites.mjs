// A small site of each generator, built with the packed package, and its page in Chromium.
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { assert, check, equal, run } from "../npm/harness.mjs";
import { accessible, onPage, ready, serving } from "./page.mjs";

/** How each generator builds a copy of its site, which has the package; returns the folder with the pages. */
const GENERATORS = {
  vitepress: {
    found: ({ here }) => installed(here, "vitepress"),
    async build(site) {
      await run(process.execPath, [join(site, "node_modules/vitepress/bin/vitepress.js"), "build", site, "--outDir", join(site, "out")], { cwd: site });
      return join(site, "out");
    },
    dark: () => document.documentElement.classList.add("dark"),
  },
  docusaurus: {
    found: ({ here }) => installed(here, "docusaurus"),
    async build(site) {
      const program = join(site, "node_modules/@docusaurus/core/bin/docusaurus.mjs");
      const env = { ...process.env, NO_UPDATE_NOTIFIER: "1", DISABLE_DOCUSAURUS_UPDATE: "1", CI: "true" };
      await run(process.execPath, [program, "build", site, "--out-dir", join(site, "out")], { cwd: site, env });
      return join(site, "out");
    },
    dark: () => document.documentElement.setAttribute("data-theme", "dark"),
  },
  material: {
    found: () => process.env.PLANLOOM_MKDOCS && existsSync(process.env.PLANLOOM_MKDOCS),
    beside: "docs/planloom",
    async build(site) {
      await run(process.env.PLANLOOM_MKDOCS, ["build", "--strict", "--quiet", "--site-dir", join(site, "out")], { cwd: site });
      return join(site, "out");
    },
    dark: () => document.body.setAttribute("data-md-color-scheme", "slate"),
  },
  mdbook: {
    found: () => process.env.PLANLOOM_MDBOOK && existsSync(process.env.PLANLOOM_MDBOOK),
    beside: "src/planloom",
    async build(site) {
      await run(process.env.PLANLOOM_MDBOOK, ["build", "--dest-dir", join(site, "out"), site], { cwd: site });
      return join(site, "out");
    },
    dark: () => document.documentElement.classList.replace("light", "navy"),
  },
};

export async function sites(context) {
  const there = Object.keys(GENERATORS).filter((name) => {
    if (!GENERATORS[name].found(context)) console.log(`skipped: ${name} is not installed, so its site is not built`);
    return GENERATORS[name].found(context);
  });
  // Building waits for the disk and one processor each, so all are begun at once.
  const built = there.map((name) => [name, begun(name, context)]);
  for (const [name, site] of built) await shown(name, site, context);
}

const begun = (name, context) => build(name, context).then((folder) => ({ folder }), (error) => ({ error }));

function installed(here, name) {
  return existsSync(join(here, "sites", name, "node_modules/.package-lock.json"));
}

/** Builds a copy, so that nothing is written to the sources. */
async function build(name, { here, work, home }) {
  const [source, site] = [join(here, "sites", name), join(work, "sites", name)];
  mkdirSync(join(work, "sites"), { recursive: true });
  cpSync(source, site, { recursive: true, filter: (path) => !path.includes("node_modules") });
  const { beside } = GENERATORS[name];
  if (beside) cpSync(join(home, "dist"), join(site, beside), { recursive: true });
  else packages(join(source, "node_modules"), site, home);
  return GENERATORS[name].build(site);
}

/** The generator's packages as they are installed, with the packed package among them. */
function packages(from, site, home) {
  const into = join(site, "node_modules");
  mkdirSync(into);
  for (const name of readdirSync(from)) if (name !== "planloom") symlinkSync(join(from, name), join(into, name));
  cpSync(home, join(into, "planloom"), { recursive: true });
}

async function shown(name, site, { browser, home }) {
  const folder = await check(`${name} builds a site`, async () => {
    const { folder, error } = await site;
    if (error) throw error;
    return folder;
  });
  if (!folder) return;
  const on = (what, use, options) => check(`${name}: ${what}`, () => serving(folder, (at) => onPage(browser, at, use, options)));
  await on("three elements are drawn and follow the editor", (page) => working(page, home));
  await on("they follow its dark mode, and axe-core finds nothing", (page) => dark(page, GENERATORS[name].dark));
  await on("without JavaScript the files are readable", readable, { javaScriptEnabled: false });
}

const all = async (page) => {
  for (const id of ["files", "graph", "plan", "listing"]) {
    await page.locator(`#${id}`).scrollIntoViewIfNeeded();
    await ready(page, id);
  }
};

async function working(page, home) {
  await all(page);
  equal(await page.locator("#graph .node .name").allTextContents().then((it) => it.join()), "lan,db,web", "the resources");
  equal(await page.locator("#listing .line code").nth(5).innerText(), "  db: {payload: p, network: lan}", "the sixth line");
  await page.locator("#files .cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\n");
  await page.keyboard.press("Home");
  await page.keyboard.type("  cache: {payload: p, network: lan}");
  await page.locator("#graph .node[data-address='services.cache']").waitFor();
  await page.locator("#plan details[data-address='services.cache']").waitFor();
  const fetched = await page.evaluate(() => performance.getEntriesByType("resource").map((it) => it.name).filter((it) => it.endsWith(".wasm")));
  // What ships has the engine's part for editors in a file of its own.
  const least = existsSync(join(home, "dist/planloom_editing.wasm")) ? 2 : 1;
  assert(fetched.length >= least, `of the engine, ${fetched.length} files were fetched`);
  equal(fetched.join("\n"), [...new Set(fetched)].join("\n"), "what was fetched, each once");
}

async function dark(page, change) {
  await all(page);
  await page.evaluate(change);
  await page.waitForTimeout(200);
  const colours = await page.evaluate(() => ["graph", "plan", "listing"].map((id) => getComputedStyle(document.getElementById(id).shadowRoot.querySelector(".frame")).backgroundColor));
  equal(colours.join(" "), Array(3).fill("rgb(25, 26, 29)").join(" "), "the backgrounds");
  await accessible(page);
}

async function readable(page) {
  const text = await page.locator("#files pre").first().innerText();
  assert(text.includes("image_tag: me/p:1"), `the page shows ${text.slice(0, 200)}`);
  assert(await page.locator("#files pre").first().isVisible(), "the files are hidden");
}
