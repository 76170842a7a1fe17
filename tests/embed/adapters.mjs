// Plans that are applied at an adapter: the one that `planloom serve` serves, with the token that it prints.
import { createServer } from "node:http";
import { join } from "node:path";
import { assert, check, equal } from "../npm/harness.mjs";
import { served } from "../npm/served.mjs";
import { accessible, assemble, onPage, ready, record, serving, STRICT } from "./page.mjs";

const APP = (name, image, more = "") => `meta: {name: ${name}}
payloads:
  p: {runtime: vm, params: {image_tag: "me/p:${image}"}}
networks:
  lan: {ip: 10.0.0.0/24}
services:
  db: {payload: p, network: lan}
${more}`;

export async function adapters(context) {
  const [port, other] = [await freePort(), await freePort()];
  const folder = assemble(context);
  const policy = STRICT.replace("connect-src 'self'", `connect-src 'self' http://127.0.0.1:${port} http://127.0.0.1:${other}`);
  await serving(
    folder,
    (at) =>
      served({ work: join(context.work, "served"), words: ["--adapter", "simulator", "--port", String(port), "--allow-origin", new URL(at).origin] }, async ({ origin, token }) => {
        const site = { browser: context.browser, address: `${at}adapter.html`, origin, token, unused: `http://127.0.0.1:${other}` };
        await everything(site);
      }),
    policy,
  );
}

async function everything(site) {
  const journey = (name, use, options) => check(name, () => onPage(site.browser, site.address, (page, context) => use(new Reader(page, site), context), options));
  const refused = { permitted: (it) => /401|ERR_|CORS|Failed to load|404|412/.test(it) };

  await journey("no adapter is contacted before the click, and Escape leaves everything as it is", untouched, refused);
  await journey("values that name no origin are refused with a sentence", wrongOrigins);
  await journey("a plan is applied at an adapter, kept over a reload, and applied again", applied, refused);
  await journey("who destroys something types the name of the deployment", destroyed, refused);
  await journey("a page that is left in the middle of a run goes on, and a second tab waits", interrupted, refused);
  await journey("what is in the way of an adapter is said", obstacles, refused);
}

/** A reader of the page, and the requests that the page sends to other origins. */
class Reader {
  sent = [];

  constructor(page, site) {
    Object.assign(this, { page, site });
    page.on("request", (it) => !it.url().startsWith(new URL(site.address).origin) && it.method() !== "OPTIONS" && this.sent.push(`${it.method()} ${it.url()}`));
    page.on("request", (it) => it.url().includes("planloom_adapters.wasm") && this.sent.push("the module"));
    this.plan = page.locator("#plan");
    this.button = this.plan.locator("[data-adapter=plan]");
    this.dialog = this.plan.locator("dialog[open]");
    this.said = this.plan.locator(".adapter [role=status]");
  }

  get writes() {
    return this.sent.filter((it) => /^(PUT|PATCH|DELETE)/.test(it));
  }

  async permit(origin = this.site.origin, path = "/adapters/simulator") {
    await ready(this.page, "plan");
    await this.page.evaluate(([origin, path]) => Object.assign(document.getElementById("plan"), { allowNetwork: origin, adapterPath: path }), [origin, path]);
  }

  /** Sets the files, and waits until the plan is drawn: what was begun before that is left. */
  async files(text) {
    const plans = () => this.page.evaluate(() => said.filter((it) => it.name === "plan" && it.id === "plan").length);
    const before = await plans();
    await this.page.evaluate((text) => (document.getElementById("files").files = [{ name: "app.yaml", text }]), text);
    await this.page.waitForFunction((before) => said.filter((it) => it.name === "plan" && it.id === "plan").length > before, before);
  }

  /** Presses the button and gives the token. */
  async begin() {
    await this.button.click();
    await this.dialog.locator("input[type=password]").fill(this.site.token);
    await this.page.keyboard.press("Enter");
  }

  confirm() {
    return this.dialog.locator("[type=submit]").click();
  }

  says(text) {
    return this.said.filter({ hasText: text }).waitFor();
  }
}

async function untouched(reader) {
  await ready(reader.page, "plan");
  equal(String(await reader.page.locator("[data-adapter=plan]:visible").count()), "0", "buttons without the attribute");
  await reader.permit();
  await ready(reader.page, "readonly");
  await reader.page.evaluate((origin) => (document.getElementById("readonly").allowNetwork = origin), reader.site.origin);
  await reader.button.filter({ hasText: `Apply at ${reader.site.origin}/adapters/simulator…` }).waitFor();
  equal(String(await reader.page.locator("#readonly [data-adapter=plan]").count()), "0", "buttons of the element that is read only");
  equal(reader.sent.join(), "", "requests before the click");
  const looks = (of) => reader.plan.locator(of).evaluate((it) => getComputedStyle(it).borderTopColor + getComputedStyle(it).color);
  assert((await looks("[data-adapter=plan]")) !== (await looks("[data-simulate=run]")), "real and simulated look alike");
  await reader.button.click();
  await reader.dialog.getByText("requires a token").waitFor();
  await accessible(reader.page, ["#plan"]);
  await reader.page.keyboard.press("Escape");
  await reader.says("Nothing was done.");
  await reader.begin();
  await reader.dialog.getByText("This changes real resources").waitFor();
  equal((await reader.dialog.locator(".counts").innerText()).trim(), "2 to create", "the counts");
  equal(await reader.page.evaluate(() => document.getElementById("plan").shadowRoot.activeElement?.textContent), "Cancel", "what has the focus");
  await accessible(reader.page, ["#plan"]);
  await reader.page.keyboard.press("Escape");
  await reader.says("Nothing was done.");
  equal(reader.writes.join(), "", "writes");
}

async function wrongOrigins(reader) {
  for (const wrong of ["*", "adapter.example", "http://adapter.example", "https://adapter.example/path", "https://adapter.example/", "https://u@adapter.example", "ftp://127.0.0.1", "http://127.evil.example", ""]) {
    await reader.permit(wrong, null);
    await reader.plan.locator(".refusal", { hasText: `allow-network="${wrong}" names no origin` }).waitFor();
    equal(String(await reader.button.count()), "0", `buttons for ${wrong}`);
  }
  for (const wrong of ["//evil.example", "/a?b", "/a#b", "/\\evil.example"]) {
    await reader.permit(reader.site.origin, wrong);
    await reader.plan.locator(".refusal", { hasText: "is no path at" }).waitFor();
  }
  equal(reader.sent.join(), "", "requests");
}

async function applied(reader) {
  await reader.permit();
  await reader.begin();
  await reader.confirm();
  await reader.says(`Applied at ${reader.site.origin}/adapters/simulator: 2 steps done.`);
  const { adapter, ok, state } = await reader.page.evaluate(() => said.find((it) => it.name === "applied").detail);
  equal(`${adapter} ${ok} ${Object.keys(JSON.parse(state).resources)}`, `${reader.site.origin}/adapters/simulator true networks.lan,services.db`, "the event");
  const kept = await reader.page.evaluate(async () => JSON.stringify([localStorage, sessionStorage, document.cookie]));
  assert(!kept.includes(reader.site.token), "the token is kept");

  await reader.page.reload();
  await reader.permit();
  await reader.begin();
  await reader.says("2 resources recorded, all as described");
  const before = reader.writes.length;
  await reader.files(APP("shop", 1, "  web: {payload: p, network: lan}\n"));
  await reader.plan.locator("details[data-address='services.web']").waitFor();
  await reader.begin();
  equal((await reader.dialog.locator(".counts").innerText()).trim(), "1 to create", "the counts");
  await reader.page.keyboard.press("Escape");
  await reader.says("Nothing was done.");
  equal(String(reader.writes.length), String(before), "writes after Escape");
  await reader.begin();
  await reader.confirm();
  await reader.says("1 step done");
}

/** A deployment of another name, so that it meets nothing of the other checks, is applied. */
async function appliedAs(reader, name) {
  await reader.permit();
  await reader.files(APP(name, 1));
  await reader.begin();
  await reader.confirm();
  await reader.says("2 steps done");
}

async function destroyed(reader) {
  await appliedAs(reader, "gone");
  await reader.page.evaluate(() => (document.getElementById("plan").mode = "destroy"));
  await reader.button.filter({ hasText: "Destroy at" }).waitFor();
  await reader.begin();
  await reader.dialog.getByText("Type gone to confirm").waitFor();
  assert(await reader.dialog.locator("[type=submit]").isDisabled(), "it can be destroyed without the name");
  const before = reader.writes.length;
  await reader.dialog.locator("input").fill("shop");
  await reader.page.keyboard.press("Enter");
  assert(await reader.dialog.isVisible(), "another name confirms");
  equal(String(reader.writes.length), String(before), "writes before the name is there");
  await reader.dialog.locator("input").fill("gone");
  await reader.confirm();
  await reader.says("Destroyed at");
  assert(reader.writes.slice(before).every((it) => it.startsWith("DELETE")), `what was sent: ${reader.writes}`);
}

/** The adapter creates a resource and the page never reads the answer. */
async function interrupted(reader) {
  const { page, site } = reader;
  await reader.permit();
  await reader.files(APP("held", 1));
  let held;
  const isHeld = new Promise((resolve) => (held = resolve));
  await page.route(/\/v1\/resources\/network\//, async (route) => {
    if (route.request().method() !== "PUT") return route.continue();
    await route.fetch();
    held();
  });
  await reader.begin();
  await reader.confirm();
  await isHeld;
  const second = await page.context().newPage();
  await second.addInitScript(record);
  await second.goto(site.address);
  const other = new Reader(second, site);
  await other.permit();
  await ready(second, "files");
  await other.files(APP("held", 1));
  await other.begin();
  await other.plan.locator(".adapter .failed, dialog[open] [type=submit]").first().waitFor();
  if (await other.dialog.isVisible()) await other.confirm();
  await other.plan.locator(".adapter [role=status]", { hasText: "held by a page of" }).waitFor();
  await second.close();

  // In this order: what is held would go on if nothing held it.
  await page.reload();
  await page.unroute(/\/v1\/resources\/network\//);
  await reader.permit();
  await reader.files(APP("held", 1));
  const before = reader.writes.length;
  // The browser may need a moment to release the lock of the page that is gone.
  const planned = reader.dialog.locator("[type=submit]:has-text('change')");
  const isHeldStill = reader.plan.locator(".adapter-frame", { hasText: "held by" });
  for (let tries = 0; tries < 10; tries += 1) {
    await reader.begin();
    await planned.or(isHeldStill).first().waitFor();
    if (await planned.isVisible()) break;
    await page.waitForTimeout(500);
  }
  await reader.dialog.getByText("An earlier run was interrupted. networks.lan (create) exists.").waitFor();
  equal((await reader.dialog.locator(".counts").innerText()).trim(), "1 to create", "what is left");
  await reader.confirm();
  await reader.says("1 step done");
  assert(reader.writes.slice(before).every((it) => it.includes("/service/")), `what was sent: ${reader.writes.slice(before)}`);
}

async function obstacles(reader) {
  const { page, site } = reader;
  const meets = async (origin, path, ...texts) => {
    await reader.permit(origin, path);
    await reader.button.click();
    for (const text of texts) await reader.plan.locator(".adapter", { hasText: text }).waitFor();
  };
  await meets(site.unused, null, "No server responds", `connect-src has to name ${site.unused}`);
  await reader.permit();
  await reader.button.click();
  await reader.dialog.locator("input").fill("wrong");
  await page.keyboard.press("Enter");
  await reader.dialog.getByText("does not accept this token").waitFor();
  await page.keyboard.press("Escape");
  await answering(site.unused, { "content-type": "text/html" }, "<h1>hello</h1>", () => meets(site.unused, "/page", "does not allow this page to read"));
  const cors = { "access-control-allow-origin": "*", "access-control-allow-headers": "*, adapter-protocol", "content-type": "text/html" };
  await answering(site.unused, cors, "<h1>hello</h1>", () => meets(site.unused, "/page", "is not an adapter"));
}

/** A server that always answers the same, at an origin. */
async function answering(origin, headers, body, use) {
  const server = createServer((_, response) => response.writeHead(200, headers).end(body));
  await new Promise((resolve) => server.listen(Number(new URL(origin).port), "127.0.0.1", resolve));
  try {
    await use();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
