// Nothing that strangers wrote becomes HTML or script: files, their names, links, states, and the answers of adapters.
import { createServer } from "node:http";
import { keepFiles, ready, show } from "../app.mjs";
import { assert, equal, journey, until, untilEqual } from "../harness.mjs";

const IMAGE = '<img src=x onerror="window.hacked=1">';
const SCRIPT = "<script>window.hacked=1</script>";
const LINK = "javascript:window.hacked=1";

const YAML = `meta:
  name: '${IMAGE}'
  "${SCRIPT.replaceAll('"', "")}": '${LINK}'
payloads:
  '${IMAGE}':
    runtime: vm
    capabilities: [vpn]
    params: {image_tag: '${SCRIPT}'}
networks:
  '${SCRIPT}': {ip: 10.0.0.0/24}
services:
  '${IMAGE}a': {payload: '${IMAGE}', network: '${SCRIPT}', init: [['${LINK}', '${IMAGE}']]}
  ok: {payload: '${IMAGE}', network: '${SCRIPT}', depends_on: ['${IMAGE}a'], labels: {of: '${IMAGE}'}}
  broken: {payload: '${SCRIPT}none', '${IMAGE}': 1}
`;

/** Keeps whatever the page does that its policy forbids, or that a script of a stranger would do. */
const watch = (page) =>
  page.addInitScript(() => {
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
  });

/** The page has only its own elements, and its policy was not violated. */
async function clean(page, what) {
  const found = await page.evaluate(() => ({
    hacked: window.hacked,
    violations: window.violations,
    scripts: [...document.querySelectorAll("script")].filter((it) => !it.src).length,
    images: document.querySelectorAll("img, iframe, object, embed").length,
    handlers: [...document.querySelectorAll("*")].filter((it) => [...it.attributes].some(({ name }) => /^on/.test(name))).length,
    links: [...document.querySelectorAll("a[href^='javascript:']")].length,
  }));
  equal(found, { hacked: undefined, violations: [], scripts: 0, images: 0, handlers: 0, links: 0 }, what);
}

const VIEWS = ["Graph", "Merged", "Plan", "Links", "Versions", "State", "Compare", "Controllers", "Services"];

export async function hostile() {
  const before = (page, context) => Promise.all([watch(page), keepFiles(context, [[`${IMAGE}.yaml`, YAML], ["b.yaml", "meta: {}\n"]])]);

  await journey("hostile: names and values of files stay text in every view", { before }, async (page) => {
    await page.waitForSelector(".cm-content");
    await page.locator(".chip-problems").waitFor();
    for (const view of VIEWS) {
      await show(page, view);
      await page.waitForTimeout(150);
      await clean(page, view);
    }
    await untilEqual(() => page.locator(".rail-name").first().textContent(), `${IMAGE}.yaml`, "the name of a file is shown as it is");
    await page.keyboard.press("Control+k");
    await clean(page, "the commands");
  });

  await journey("hostile: what a link or an address says stays text", { before: watch }, async (page, { address }) => {
    await ready(page);
    const shared = (value) =>
      page.evaluate(async (value) => {
        const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
        const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
        return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
      }, value);
    const state = { name: IMAGE, text: JSON.stringify({ format: "planloom.state/1", deployment: IMAGE, serial: 1, resources: { [`services.${IMAGE}`]: { kind: IMAGE, phase: SCRIPT, spec: {}, outputs: { ip: IMAGE } } } }) };
    const fragments = [
      `#example=${encodeURIComponent(IMAGE)}`,
      `#example=shop/${encodeURIComponent(SCRIPT)}`,
      `#s=${await shared({ v: 2, files: [{ name: IMAGE, text: YAML }], environments: [{ name: IMAGE, muted: [] }], view: "plan", state })}`,
      `#s=${await shared({ v: 2, files: [{ name: LINK, text: SCRIPT }], view: IMAGE })}`,
      `#token=${encodeURIComponent(IMAGE)}x`,
    ];
    for (const fragment of fragments.slice(0, 4)) {
      await page.goto("about:blank");
      await page.goto(`${address}${fragment}`);
      await page.waitForSelector(".cm-content, .empty");
      await page.getByRole("button", { name: "Open it here" }).click({ timeout: 500 }).catch(() => {});
      await page.waitForTimeout(500);
      await clean(page, `${fragment.slice(0, 30)} as it opens`);
      await page.keyboard.press("Escape");
      for (const view of ["State", "Plan", "Compare"]) {
        await show(page, view);
        await clean(page, `${fragment.slice(0, 30)} in ${view}`);
      }
    }
  });

  await journey("hostile: the answers of an adapter stay text", { before: watch, expected: /Failed to load resource/ }, async (page) => {
    const server = createServer(stranger);
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      await ready(page);
      await show(page, "State");
      await page.getByRole("button", { name: "Connect an adapter…" }).click();
      await page.getByRole("dialog").getByLabel("Address").fill(`http://127.0.0.1:${server.address().port}`);
      await page.getByRole("dialog").getByRole("button", { name: "Connect" }).click();
      await until(() => page.locator("body").innerText(), (text) => text.includes("onerror") || text.includes("hacked"), "what it said is shown as text");
      await clean(page, "the answer to a connection");
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  await journey("hostile: the policy of the page allows no script and no style of its own", { before: watch, expected: /Content Security Policy|Refused/ }, async (page) => {
    await ready(page);
    const policy = await page.evaluate(() => document.querySelector("meta[http-equiv='Content-Security-Policy']").content);
    assert(!policy.includes("unsafe-inline") && !/'unsafe-eval'/.test(policy), policy);
    equal(await page.evaluate(() => document.querySelectorAll("style, [style*='expression']").length), 0, "style elements in the document");
    const ran = await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.hacked = 1";
      document.head.append(script);
      document.body.insertAdjacentHTML("beforeend", '<img src="data:," onerror="window.hacked = 1"><p style="color:red" id="styled">x</p>');
      return { hacked: window.hacked, color: getComputedStyle(document.getElementById("styled")).color };
    });
    equal([ran.hacked, ran.color === "rgb(255, 0, 0)"], [undefined, false], "what a stranger would insert does nothing");
  });
}

/** An adapter whose every word is HTML. */
function stranger(request, response) {
  const headers = {
    "access-control-allow-origin": "*",
    "access-control-allow-headers": "authorization,content-type,idempotency-key,if-match,adapter-protocol,prefer",
    "access-control-allow-methods": "GET,PUT,PATCH,DELETE,POST",
    "content-type": "application/problem+json",
  };
  if (request.method === "OPTIONS") return response.writeHead(204, headers).end();
  response.writeHead(403, headers).end(JSON.stringify({ type: "about:blank", title: IMAGE, detail: SCRIPT, code: IMAGE, status: 403, violations: [{ pointer: IMAGE, detail: IMAGE }] }));
}
