// Real things: the page that `planloom serve` serves, and the adapter beside it.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { show } from "../app.mjs";
import { accessible, assert, equal, journey, root, shot, site, skipped, until } from "../harness.mjs";
import { apply, dialog, kept, main, review, untilChip } from "../live.mjs";

const PLANLOOM = process.env.PLANLOOM_BINARY ?? join(root, "target/debug/planloom");
const PROGRAMS = ["/usr/bin/redis-server", "/usr/bin/python3"];

/** Processes that were seen to be started. */
const started = new Set();

/** Serves app and adapters for as long as `body` runs; ends what a failed journey leaves. */
async function served(words, body) {
  const folder = mkdtempSync(join(tmpdir(), "planloom-"));
  const args = ["serve", "--app", site, "--format", "json", "--process-folder", join(folder, "process"), ...words];
  const server = spawn(PLANLOOM, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const { value } = await lines.next();
    if (value === undefined) throw new Error("planloom serve said nothing");
    await body(JSON.parse(value), server);
  } finally {
    server.kill("SIGINT");
    await new Promise((resolve) => (server.exitCode === null ? server.once("exit", resolve) : resolve()));
    for (const id of started) end(id);
    rmSync(folder, { recursive: true, force: true });
  }
}

function end(id) {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** What the page at an address says; nothing where it says nothing. */
const fetched = (host) =>
  new Promise((resolve) => {
    const asked = request({ host, port: 8000, timeout: 2_000 }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part) => (text += part)).on("end", () => resolve(text.trim()));
      answer.on("error", () => resolve(undefined));
    });
    asked.on("error", () => resolve(undefined)).on("timeout", () => asked.destroy());
    asked.end();
  });

/** What is recorded as the result of a resource, from the browser's database: the whole, and what came after it. */
async function outputs(page, address) {
  const all = await kept(page);
  const texts = (part) => Object.keys(all).filter((key) => key.startsWith(part)).sort().map((key) => JSON.parse(all[key]));
  const [whole] = texts("whole/");
  const commits = texts("log/").filter(({ serial }) => serial > whole.serial);
  const put = commits.flatMap(({ changes }) => changes).flatMap(({ put }) => (put?.[0] === address ? [put[1]] : []));
  const found = (put.at(-1) ?? whole.resources[address])?.outputs ?? {};
  if (found.activity) started.add(Number(found.activity.id));
  return found;
}

/** What the web server says at the address that it has by now. */
const visit = async (page) => {
  const node = (await outputs(page, "services.page")).network_node;
  return node && fetched(node.ip);
};

export async function real() {
  const name = "real: the example starts a store and a web server, is healed, and is destroyed";
  const missing = [PLANLOOM, ...PROGRAMS].filter((path) => !existsSync(path));
  if (missing.length > 0) return skipped(name, `${missing.join(", ")} not there`);
  const allowed = PROGRAMS.flatMap((path) => ["--allow", path]);
  await served(allowed, async (home) => {
    await journey(name, { at: home.page }, async (page) => {
      await page.waitForSelector(".cm-content");
      equal(await page.evaluate(() => location.hash), "", "the token in the address");
      equal(await page.locator(".editor-head .layer-name").innerText(), "app.yaml", "the file that is open");
      await show(page, "State");
      await page.locator(".live-said", { hasText: "process on this machine" }).waitFor();
      await review(page);
      await dialog(page).getByText("through process on this machine").waitFor();
      await shot(page, "real-review");
      await dialog(page).getByRole("button", { name: "Apply 3 changes" }).click();
      await page.locator(".run-said", { hasText: "Applied: 3 steps done." }).waitFor({ timeout: 30_000 });
      await shot(page, "real-report");
      await page.getByRole("button", { name: "Close report" }).click();

      const store = await outputs(page, "services.store");
      equal(await visit(page), `visit 1, counted at ${store.network_node.ip}`, "what the web server says");
      equal(await visit(page), `visit 2, counted at ${store.network_node.ip}`, "what it says then");

      await show(page, "State");
      await page.getByRole("button", { name: "Watch", exact: true }).click();
      await untilChip(page, /watching/);
      process.kill(Number(store.activity.id), "SIGKILL");
      // A new store counts from the beginning.
      await until(() => visit(page), (said) => said?.startsWith("visit 1,"), "it is healed", 30_000);
      await shot(page, "real-watch");
      await page.locator(".live-strip").getByRole("button", { name: "Stop watching" }).click();
      await untilChip(page, /in step/);
      const healed = await outputs(page, "services.store");
      assert(healed.activity.id !== store.activity.id, "another process stores now");

      const host = (await outputs(page, "services.page")).network_node.ip;
      await page.getByRole("button", { name: "Destroy everything…" }).click();
      await dialog(page).getByRole("button", { name: "Destroy 3 resources" }).click();
      await page.locator(".run-said", { hasText: "Everything is destroyed." }).waitFor({ timeout: 30_000 });
      equal(await fetched(host), undefined, "what the web server says when it is gone");
      let alive = true;
      try { process.kill(Number(healed.activity.id), 0); } catch { alive = false; }
      assert(!alive, "the store is gone");
      await accessible(page, "the page after all");
    });

    await journey("real: a page with an old token says what to do, and makes nothing real", { at: home.page.replace(/token=.*/, "token=0123456789abcdef") , expected: /401/ }, async (page) => {
      await show(page, "State");
      await page.locator(".live-note", { hasText: "Open the link that it printed last." }).waitFor();
      await page.locator(".live-said", { hasText: "Simulator" }).waitFor();
    });
  });
}
