// When something around the app fails: never a blank page, always what is safe and what to do.
import { append, files, open, ready, show, stored, untilErrors } from "../app.mjs";
import { accessible, assert, equal, journey, shippedJourney, shot, until, untilEqual } from "../harness.mjs";

/** A browser whose storage is full whenever the page says so: it gives transactions up, and says why. */
const fill = () => {
  const { commit } = IDBTransaction.prototype;
  const error = Object.getOwnPropertyDescriptor(IDBTransaction.prototype, "error");
  IDBTransaction.prototype.commit = function () {
    return window.isFull ? this.abort() : commit.call(this);
  };
  Object.defineProperty(IDBTransaction.prototype, "error", {
    get() {
      return window.isFull ? new DOMException("no room", "QuotaExceededError") : error.get.call(this);
    },
  });
};

/** A browser that gives no database. */
const refuse = () => {
  IDBFactory.prototype.open = () => {
    throw new Error("not here");
  };
};

export async function failures() {
  const view = "**/planloom-web-*_merged.wasm";
  const offline = { expected: /ERR_FAILED|Failed to fetch/, before: (page, context) => context.route(view, (route) => route.abort()) };
  await shippedJourney("a view that could not be loaded says so, and is tried again", offline, async (page, { context }) => {
    await ready(page);
    await show(page, "Merged");
    const said = page.getByRole("alert").filter({ hasText: "This view could not be loaded." });
    await said.waitFor();
    await context.unroute(view);
    await said.getByRole("button", { name: "Try again" }).click();
    await page.locator(".merged-line", { hasText: "sample-shop" }).waitFor();
    await said.waitFor({ state: "detached" });
  });

  await journey("a full storage is said, what is on screen can be downloaded, and nothing is lost", { before: (page) => page.addInitScript(fill) }, async (page) => {
    await ready(page);
    await page.evaluate(() => (window.isFull = true));
    await append(page, `\n# ${"long ".repeat(2_000)}`);
    await page.getByRole("alert").getByText("This browser's storage is full.").waitFor();
    await shot(page, "storage-full");
    await accessible(page, "a full storage");
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("alert").getByRole("button", { name: "Download as zip" }).click()]);
    assert(download.suggestedFilename().endsWith(".zip"), download.suggestedFilename());
    await page.evaluate(() => (window.isFull = false));
    await append(page, "\n# room again");
    await page.getByRole("alert").waitFor({ state: "detached" });
    assert((await stored(page, "base.yaml")).includes("# room again"), "stored once there is room");
  });

  await journey("a database that refuses is said, and the last words are kept all the same", { before: (page) => page.addInitScript(refuse) }, async (page) => {
    await ready(page);
    await page.getByRole("alert").getByText("This browser keeps nothing for this page.").waitFor();
    await page.getByRole("alert").getByRole("button", { name: "Download as zip" }).waitFor();
    await append(page, "\n# the last words");
    await page.reload();
    await ready(page);
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+End");
    await page.locator(".cm-line", { hasText: "# the last words" }).waitFor();
  });

  await journey("without the editor a plain field works", { expected: /editor\.js|Failed to load resource|ERR_FAILED/, before: (page) => page.route("**/editor.js", (route) => route.abort()) }, async (page) => {
    await page.getByText("The editor could not be loaded.").waitFor();
    const field = page.getByRole("textbox", { name: "Text of base.yaml" });
    const text = await field.inputValue();
    await field.fill(`${text}\nunknown_key: 1\n`);
    await untilErrors(page);
  });

  await journey("an engine that does not answer can be started again", { expected: /Failed to load resource|wasm|ERR_FAILED|fetch/i, before: async (page, context) => {
    await context.route("**/planloom-engine_bg.wasm", (route) => route.abort());
    await page.clock.install();
  } }, async (page, { context }) => {
    await page.waitForSelector(".rail-name");
    await page.clock.fastForward(20_000);
    await page.getByText("The engine has not answered for a while.").waitFor();
    await untilEqual(() => files(page), ["base.yaml", "prod.yaml"], "files are there");
    await context.unroute("**/planloom-engine_bg.wasm");
    await page.getByRole("button", { name: "Restart" }).click();
    await page.clock.resume();
    await until(() => page.locator(".graph-node").count(), (count) => count === 4, "the graph");
    equal(await page.getByText("The engine has not answered").count(), 0, "the bar");
  });

  await journey("hostile text stays text", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    await append(page, '  "<img src=x onerror=window.hit=1>":\n    payload: "<script>window.hit=1</script>"\n');
    await untilErrors(page);
    for (const view of ["Merged", "Plan", "Graph"]) {
      await page.getByRole("tab", { name: new RegExp(`^${view}`) }).click();
      await page.waitForTimeout(150);
    }
    equal(await page.evaluate(() => window.hit), undefined, "nothing ran");
  });

  await journey("without scripts the page says why it is empty", { javaScriptEnabled: false }, async (page) => {
    await page.locator(".boot-noscript").waitFor();
  });
}
