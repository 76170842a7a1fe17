// Elements that are drawn when a page is built.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { assert, check, equal, run } from "../npm/harness.mjs";
import { FILES, IMAGE } from "./hostile.mjs";
import { accessible, assemble, onPage, ready, serving, STRICT } from "./page.mjs";

const KINDS = ["planloom-editor", "planloom-graph", "planloom-plan"];

export async function drawn(context) {
  const { here, home, work, browser } = context;
  const { renderElement } = await import(pathToFileURL(join(home, "dist/render.js")).href);
  const folder = assemble(context);
  const read = (name) => readFileSync(join(here, "../../static/examples/release", name), "utf8");
  const files = ["base.yaml", "release.yaml"].map((name) => ({ name, text: read(name) }));
  const page = (name, elements, head = "") =>
    writeFileSync(join(folder, name), `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Drawn</title><link rel="icon" href="data:,"><link rel="stylesheet" href="page.css">${head}</head><body><main><h1>Drawn</h1>${elements.join("\n")}</main></body></html>`);
  const of = (list, more = {}) => KINDS.map((element) => renderElement({ element, files: list, attributes: { id: element.slice(9), ...(element.endsWith("editor") && { readonly: true }) }, ...more }));

  const script = '<script type="module" src="planloom/element.js"></script>';
  page("drawn.html", of(files, { state: read("state.json"), stylesheet: "planloom/element_drawn.css" }), script);
  page("drawn-inside.html", of(files, { state: JSON.parse(read("state.json")) }));
  page("drawn-hostile.html", of(FILES, { state: JSON.stringify({ note: `</script>${IMAGE}` }) }), script);

  await check("an element is drawn without JavaScript", () =>
    serving(folder, (at) => onPage(browser, `${at}drawn-inside.html`, seen, { javaScriptEnabled: false })));
  await check("it is drawn under a strict policy, and live from the first touch on", () =>
    serving(folder, (at) => onPage(browser, `${at}drawn.html`, live), STRICT));
  await check("axe-core finds nothing in what is drawn", () => serving(folder, (at) => onPage(browser, `${at}drawn.html`, (it) => accessible(it))));
  await check("hostile text stays text in what is drawn", () => serving(folder, (at) => onPage(browser, `${at}drawn-hostile.html`, unharmed)));
  await check("what is no attribute is refused", () => refusals(renderElement, files));
  await check("CommonJS renders the same", () => sameInCommonJs(work, files, renderElement));
}

async function seen(page) {
  equal(await page.locator("#graph .node .name").allTextContents().then((it) => it.join()), "station,archive,collector,weather,dashboard", "the resources");
  assert(await page.locator("#plan .sentence").isVisible(), "the plan is not shown");
  equal(await page.locator("#editor .line code").first().innerText(), "# The recorded state says what ran before this release.", "the first line");
}

async function live(page) {
  await seen(page);
  const loaded = () => page.evaluate(() => performance.getEntriesByType("resource").some((it) => /element_parts|\.wasm/.test(it.name)));
  await page.waitForTimeout(300);
  assert(!(await loaded()), "the engine was loaded before anything was touched");
  const before = await page.locator("#graph").boundingBox();
  await page.locator("#graph .node[data-address='services.archive']").focus();
  await ready(page, "graph");
  const after = await page.locator("#graph").boundingBox();
  equal(String(Math.round(after.height)), String(Math.round(before.height)), "the height of the live graph");
  const focused = await page.evaluate(() => document.getElementById("graph").shadowRoot.activeElement?.dataset.address);
  equal(focused, "services.archive", "where the focus is");
  await page.keyboard.press("Enter");
  assert((await page.locator("#graph .card").innerText()).includes("will be destroyed and created again"), "the card does not say what happens");
}

async function unharmed(page) {
  await page.waitForTimeout(300);
  const found = await page.evaluate(() => {
    const roots = [...document.querySelectorAll("main > *")].flatMap((it) => [it, it.shadowRoot]).filter(Boolean);
    return [globalThis.harmed, ...roots.flatMap((it) => [...it.querySelectorAll("img, [onerror], [onload], [onclick], script:not([data-state])")].map((node) => node.outerHTML))];
  });
  equal(JSON.stringify(found), "[null]", "what became of hostile text");
  const kept = await page.evaluate(() => [document.querySelector("#plan pre").dataset.file, document.querySelector("#plan pre").textContent]);
  equal(JSON.stringify(kept), JSON.stringify([FILES[0].name, FILES[0].text]), "the file");
}

function refusals(renderElement, files) {
  const wrong = [
    { element: "img", files },
    { element: "constructor", files },
    { element: "planloom-plan", files: [] },
    { element: "planloom-plan", files, attributes: { onclick: "x" } },
    { element: "planloom-plan", files, attributes: { style: "x" } },
    { element: "planloom-plan", files, attributes: { "a><b": "x" } },
  ];
  const thrown = wrong.map((options) => {
    try {
      return renderElement(options).slice(0, 40);
    } catch (error) {
      return error.name;
    }
  });
  equal(thrown.join(), wrong.map(() => "TypeError").join(), "what is thrown");
  const text = renderElement({ element: "planloom-plan", files, attributes: { id: '"><img src=x>' } });
  assert(text.startsWith('<planloom-plan id="&quot;&gt;&lt;img src=x&gt;">'), `the attribute is ${text.slice(0, 80)}`);
}

async function sameInCommonJs(work, files, renderElement) {
  const code = `const { renderElement } = require("planloom/render"); require("planloom/element"); process.stdout.write(renderElement(${JSON.stringify({ element: "planloom-graph", files })}));`;
  const text = await run(process.execPath, ["--input-type=commonjs", "-e", code], { cwd: work });
  equal(text, renderElement({ element: "planloom-graph", files }), "the HTML");
  createRequire(join(work, "x.js")).resolve("planloom/element.css");
}
