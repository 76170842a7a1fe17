// Text of files, names and fragments that would be HTML if it could.
import { assert, check, equal } from "../npm/harness.mjs";
import { assemble, onPage, ready, serving, STRICT } from "./page.mjs";

export const IMAGE = "<img src=x onerror=globalThis.harmed=1>";
export const FILES = [
  {
    name: `${IMAGE}.yaml`,
    text: [
      "meta: {name: '</script><script>globalThis.harmed=2</script>'}",
      "payloads:",
      `  p: {runtime: vm, params: {image_tag: "${IMAGE}"}}`,
      "networks:",
      "  lan: {ip: 10.0.0.0/24}",
      "services:",
      `  "${IMAGE}": {payload: p, network: lan}`,
      `  "'\\"><svg onload=globalThis.harmed=3>": {payload: p, network: lan}`,
      `  "a style=x onclick=harm()": {payload: p, network: lan, "${IMAGE}": 1}`,
      "  `code` **bold** | [link](javascript:harm()): {payload: nowhere}",
      "",
    ].join("\n"),
  },
];
const SECRET = "</script><img src=x onerror=globalThis.harmed=4>";

export async function hostile(context) {
  const folder = assemble(context);
  // Once under a policy that would stop programs, and once under none, where nothing else would.
  for (const policy of [STRICT, null]) {
    const where = policy ? "under a strict policy" : "without a policy";
    const fragment = `#graph:${encodeURIComponent(`services.${IMAGE}`)}`;
    await check(`hostile text stays text ${where}`, () => serving(folder, (at) => onPage(context.browser, `${at}hostile.html${fragment}`, shown), policy));
  }
  await check("fragments that are no text are ignored", () =>
    serving(folder, (at) => onPage(context.browser, `${at}three.html#%E0%A4%A`, (page) => ready(page, "plan")), STRICT));
}

async function shown(page) {
  await page.evaluate(([files, secret]) => {
    const element = document.getElementById("files");
    element.files = files;
    element.state = JSON.stringify({ note: secret });
  }, [FILES, SECRET]);
  await page.evaluate(() => document.querySelectorAll("planloom-editor, planloom-graph, planloom-plan").forEach((it) => it.start()));
  await Promise.all(["files", "graph", "plan", "listing"].map((id) => ready(page, id)));
  await page.evaluate((files) => (document.getElementById("files").files = files), FILES);
  const name = await page.locator("#files [role=tab]").innerText();
  equal(name, FILES[0].name, "the name of the file");
  await page.waitForTimeout(300);
  await clickAll(page);
  const harm = await page.evaluate(harmed);
  equal(JSON.stringify(harm), "{\"made\":[],\"ran\":[]}", "what became of hostile text");
}

/** Opens what can be opened, so that everything is drawn. */
async function clickAll(page) {
  for (const node of await page.locator("#graph .node").all()) await node.dispatchEvent("click");
  for (const node of await page.locator("#graph .node").all()) await node.dispatchEvent("pointerover");
  for (const row of await page.locator("#plan summary").all()) await row.dispatchEvent("click");
  await page.locator("#graph [data-view=table]").click();
  const text = await page.locator("#graph table").innerText();
  assert(text.includes("<img src=x onerror"), `the name is not shown as it is: ${text}`);
}

/** Elements and attributes in the shadow roots that only text of files can have brought. */
function harmed() {
  const made = [];
  const ran = [globalThis.harmed].filter((it) => it !== undefined);
  for (const host of document.querySelectorAll("planloom-editor, planloom-graph, planloom-plan")) {
    for (const node of host.shadowRoot.querySelectorAll("*")) {
      const isWrong = ["img", "script", "iframe", "object"].includes(node.localName) || node.getAttributeNames().some((it) => it.startsWith("on"));
      const leads = node.localName === "a" && !node.getAttribute("href").startsWith("#");
      if (isWrong || leads) made.push(node.outerHTML.slice(0, 100));
    }
  }
  return { made, ran };
}
