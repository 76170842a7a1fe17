// Draws the editor in its typical states into the folder given, for people to look at.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { newPage, open } from "./harness.mjs";

const folder = process.argv[2] ?? "dist/shots";
mkdirSync(folder, { recursive: true });

const body = `# What production changes
meta:
  name: shop
  version: "1.4.0"
payloads:
  web-image: &web !override
    runtime: vm
    params:
      image_hash: 5c28a15b0f9e7d31
      min_mem_gib: 2.5
services:
  db:
    pyload: db-image
    network: default
  web:
    payload: web-image
    depends_on: [db, cache]
    init:
      - run:
          args: [/bin/serve, --db, "\${services.db.network_node.ip}:5432"]
      - [/bin/sh, -c, "echo $\${HOME} 😀 ready"]
    instances: 3
networks:
  default:
    ip: 192.168.0.0/24 # the usual one
`;
const at = (line, column, end) => ({ file: "prod.yaml", line, column, end_line: line, end_column: end });
const problems = [
  { ...at(13, 5, 11), severity: "error", message: "unknown key `pyload` in a service", code: "lower/unknown-key", help: "did you mean `payload`?",
    related: [{ file: "base.yaml", line: 18, column: 5, end_line: 18, end_column: 12, message: "the payload is set here" }],
    fixes: [{ title: "Change to `payload`", edits: [{ ...at(13, 5, 11), new_text: "payload" }] }, { title: "Remove this line" }] },
  { ...at(17, 22, 27), severity: "error", message: "no service is named `cache`", code: "graph/unknown-address", help: "declare it under `services`, or remove it here", related: [], fixes: [] },
  { ...at(6, 14, 18), severity: "hint", message: "nothing uses the anchor `web`", code: "syntax/unused-anchor", help: null, related: [], fixes: [] },
  { ...at(25, 9, 23), severity: "warning", message: "default overlaps 192.168.0.0/16 of base.yaml", code: "lower/network-overlap", help: null, related: [], fixes: [] },
];
const marks = [
  ...[6, 7, 8, 9, 10].map((line) => ({ line, kind: "overrides", letter: "A", color: "var(--layer-1)", title: "replaces base.yaml:12" })),
  { line: 22, kind: "overridden", letter: "C", color: "var(--layer-3)", title: "replaced by local.yaml:4" },
  { line: 22, kind: "overrides", letter: "A", color: "var(--layer-1)", title: "replaces base.yaml:30" },
  { line: 25, kind: "overridden", letter: "C", color: "var(--layer-3)", title: "replaced by local.yaml:9" },
];
const origin = (file, line, rule, value) => ({ file, line, column: 5, end_line: line, end_column: 9, rule, value });
const hover = {
  range: at(22, 5, 14), pointer: "/services/web/instances", title: "instances", doc: "How many of this service run side by side.", shape: "number · from 1",
  value: "5", origins: [origin("local.yaml", 4, "set", "5"), origin("prod.yaml", 22, "set", "3"), origin("base.yaml", 30, "default", "1")],
  plan: "services.web[3] and services.web[4] will be created: instances went from 3 to 5.", action: "create",
};
const choice = (label, detail, doc, kind = "key") => ({ label, kind, detail, doc, edit: { ...at(23, 5, 6), new_text: `${label}: ` } });
const choices = [
  choice("network", "name of a network", "The network that the service joins. The default network is used when a proxy asks for one."),
  choice("network_node", "set at run time", "Where the service is reachable."),
  choice("http_proxy", "map", "Ports that are served over HTTP."),
  choice("init", "list of commands", "What runs once, before the service counts as started."),
  choice("instances", "number", "How many run side by side."),
];

const scenes = {
  problems: async (page) => {
    await page.evaluate(() => (editor.revealRange(12, 3, 12, 3), editor.gotoNextProblem(1)));
  },
  hover: async (page) => {
    await page.evaluate(() => editor.revealRange(22, 7, 22, 7));
    await page.keyboard.press("F1");
    await page.locator(".pl-card").waitFor();
  },
  completion: async (page) => {
    await page.evaluate(() => editor.applyEdits([{ line: 22, column: 17, end_line: 22, end_column: 17, new_text: "\n    n" }]));
    await page.evaluate(() => editor.revealRange(23, 6, 23, 6));
    await page.keyboard.press("Control+Space");
    await page.locator(".cm-completionInfo").waitFor({ timeout: 3000 }).catch(() => {});
  },
  search: async (page) => {
    await page.locator(".cm-content").focus();
    await page.evaluate(() => editor.openSearch());
    await page.keyboard.type("web");
    await page.keyboard.press("Enter");
  },
  hint: async (page) => {
    await page.locator("#before").focus();
    await page.keyboard.press("Tab");
  },
};

const session = await open();
for (const [name, scene] of Object.entries(scenes)) {
  for (const dark of [false, true]) {
    for (const width of [820, 390]) {
      const options = { viewport: { width, height: 620 }, deviceScaleFactor: 2, ...(width < 500 ? { hasTouch: true, isMobile: true } : {}) };
      const { page, close } = await newPage(session, options);
      await page.evaluate(
        ([b, p, m, h, c, d]) => {
          document.documentElement.classList.toggle("dark", d);
          editor.setTheme(d ? "dark" : "light");
          editor.setLayers([["base.yaml", "A"], ["prod.yaml", "B"], ["local.yaml", "C"]].map(([file, letter], n) => ({ file, letter, color: `var(--layer-${n + 1})` })));
          editor.setDocument("prod.yaml", b);
          editor.setProblems(p);
          editor.setLayerMarks(m);
          Object.assign(answers, { hover: h, completion: c });
        },
        [body, problems, marks, hover, choices, dark],
      );
      await scene(page);
      await page.waitForTimeout(500);
      await page.screenshot({ path: join(folder, `${name}-${width}-${dark ? "dark" : "light"}.png`) });
      await close();
    }
  }
}
await session.close();
