// The Versions view: packages in place of images, chosen from a catalog.
import { command, drawn, example, files, keepFiles, node, problems, ready, show, stored } from "../app.mjs";
import { accessible, assert, equal, journey, shippedJourney, shot, until, untilEqual } from "../harness.mjs";

const APP = example("versions", "app.yaml");
const CATALOG = example("versions", "catalog.yaml");
/** Both want what the other cannot have. */
const TORN = APP.replace('name: queue, version: ">=2.0.0"', 'name: queue, version: "^2.0.0"').replace(
  'name: console, version: ">=1.0.0"',
  'name: console, version: "^2.0.0"',
);

/** The page finds these files kept from before. */
const kept = (files) => ({ before: (_, context) => keepFiles(context, files) });

const shop = (app = APP) => kept([["app.yaml", app], ["catalog.yaml", CATALOG]]);

const opened = async (page) => {
  await page.waitForSelector(".cm-content");
  await show(page, "Versions");
  await page.locator(".versions-sentence").waitFor();
};

const chosen = (page) => page.locator(".versions-pick");
const row = (page, name) => chosen(page).filter({ has: page.locator(".versions-package", { hasText: new RegExp(`^${name}$`) }) });
const range = (page, name) => page.getByRole("textbox", { name: new RegExp(`^Versions of ${name} `) });
const change = (page, name) => page.locator(".versions-if .versions-change", { hasText: name });
const inEditor = (page, name) => page.locator(".editor-head .layer-name", { hasText: name }).waitFor();
/** The editor stands at a line that holds `text`. */
const atLine = (page, text) => page.locator(".cm-activeLine", { hasText: text }).first().waitFor();

export async function versions() {
  await journey("packages get versions, and it is said why", shop(), async (page) => {
    await opened(page);
    await untilEqual(() => chosen(page).locator(".versions-package").allTextContents(), ["beam", "queue", "console"], "what is chosen");
    await row(page, "queue").getByText("3.1.0").waitFor();
    await row(page, "queue").focus();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Why queue 3.1.0" }).locator(".why-step", { hasText: "4.0.0 is ruled out" }).first().waitFor();
    await page.keyboard.press("Escape");
    await row(page, "queue").click();
    const candidate = page.locator(".versions-candidate", { hasText: "4.0.0" });
    await candidate.getByText("ruled out").waitFor();
    await candidate.locator("button.versions-fact").first().click();
    await inEditor(page, "catalog.yaml");
    await candidate.getByRole("button", { name: "Show what would have to change" }).click();
    await candidate.locator(".versions-move button.versions-fact").first().waitFor();
    await page.locator(".versions-asked").getByRole("button", { name: "payloads.console" }).click();
    await inEditor(page, "app.yaml");
    await atLine(page, "name: console");
  });

  const others = "schema: olm.package\nname: other\ndefaultChannel: gone\n";
  await journey("a broken catalog prevents no plan that does without it", kept([["app.yaml", APP], ["catalog.yaml", CATALOG], ["others.yaml", others]]), async (page) => {
    await ready(page);
    await until(() => problems(page), (said) => said === "No problems", "it is no problem of one's own files");
    const faults = page.getByRole("button", { name: /^In catalogs: \d+ errors?.*They do not prevent a plan\.$/ });
    await faults.click();
    await page.locator(".problem", { hasText: "others.yaml" }).first().waitFor();
    await page.locator(".problem-goto", { hasText: "others.yaml" }).first().focus();
    await page.keyboard.press("?");
    const why = page.getByRole("dialog", { name: "Why there is this problem" });
    await why.locator(".why-step").first().waitFor();
    await accessible(page, "the chain of a problem");
    await page.keyboard.press("Escape");
    await faults.click();
    await page.getByRole("button", { name: "Review plan" }).click();
    const apply = page.getByRole("button", { name: "Apply…", exact: true });
    await until(() => apply.getAttribute("aria-disabled"), (disabled) => disabled !== "true", "it can be applied");
    equal(await page.locator(".chip-plan.stale").count(), 0, "the plan is that of these files");
    await apply.click();
    await page.getByRole("dialog").getByRole("button", { name: /^Apply \d+ changes/ }).click();
    await page.locator(".run-said", { hasText: /^Applied/ }).waitFor();
  });

  await journey("a catalog is no layer, and the files say so", shop(), async (page) => {
    await opened(page);
    await untilEqual(() => files(page), ["app.yaml", "catalog.yaml"], "files");
    await page.locator(".rail-row", { hasText: "catalog.yaml" }).locator(".rail-apart").waitFor();
    await untilEqual(() => page.locator(".rail-number").allTextContents(), ["1", "catalog, not merged"], "numbers in the merge order");
  });

  await journey("another range is tried while it is typed, and written when it is wanted", shop(), async (page) => {
    await opened(page);
    await range(page, "queue").fill("^2.0.0");
    await change(page, "console").getByText("1.4.0").waitFor();
    equal(await stored(page, "app.yaml"), APP, "nothing is written yet");
    await page.keyboard.press("Escape");
    await until(() => page.locator(".versions-if").count(), (count) => count === 0, "what would be");
    await untilEqual(() => range(page, "queue").inputValue(), ">=2.0.0", "the range is as it was");
    await range(page, "queue").fill("^2.0.0");
    await change(page, "console").waitFor();
    await range(page, "console").fill("^2.0.0");
    await page.locator(".versions-if .versions-no").waitFor();
    await range(page, "console").press("Escape");
    await change(page, "console").waitFor();
    await range(page, "queue").press("Enter");
    await row(page, "console").getByText("1.4.0").waitFor();
    equal(await stored(page, "app.yaml"), APP.replace('name: queue, version: ">=2.0.0"', 'name: queue, version: "^2.0.0"'), "the range is written");
  });

  await journey("what cannot be is told fact by fact, and a fix puts it right", shop(TORN), async (page) => {
    await opened(page);
    await page.getByRole("tab", { name: /^Versions/ }).locator(".tab-failed").waitFor();
    const facts = page.locator(".versions-conflict button.versions-fact");
    assert((await facts.count()) >= 3, "facts that lead somewhere");
    for (const at of Array.from({ length: await facts.count() }, (_, at) => at)) {
      const place = await facts.nth(at).locator(".place-name").textContent();
      await facts.nth(at).click();
      await inEditor(page, place.replace(/:\d+$/, ""));
      await until(
        () => page.locator(".cm-lineNumbers .cm-activeLineGutter").textContent(),
        (line) => line === place.match(/\d+$/)[0],
        `the cursor is at ${place}`,
      );
    }
    const fix = page.locator(".versions-fixes li").filter({ has: page.locator(".fix-apply") }).first();
    await fix.getByText("Then chosen:").waitFor();
    await fix.getByRole("button", { name: "Preview" }).click();
    await fix.locator(".fix-preview .fix-new").first().waitFor();
    await fix.locator(".fix-apply").click();
    await row(page, "queue").waitFor();
    equal(await page.locator(".versions-conflict").count(), 0, "conflicts");
    await page.keyboard.press("Control+z");
  });

  await journey("the upgrades of a package are drawn and told", shop(), async (page) => {
    await opened(page);
    await page.getByRole("group", { name: "Show" }).getByRole("button", { name: "Packages" }).click();
    await untilEqual(() => page.locator(".versions-open").count(), 3, "packages");
    await page.getByRole("searchbox", { name: "Find a package" }).fill("que");
    await until(() => page.locator(".versions-open").count(), (count) => count === 1, "packages that are called so");
    await page.locator(".versions-open").click();
    await until(() => page.locator(".versions-graph .graph-node").count(), (count) => count === 6, "versions");
    const upgrades = await until(() => drawn(page, ".versions-graph"), (now) => now?.edges.skip_range > 0, "ranges are drawn");
    equal(upgrades.labels.filter((text) => text === ">=2.0.0 <3.1.0").length, 1, "how often a range is written");
    await page.locator(".bundle-chosen").waitFor();
    await page.locator(".bundle-deprecated").waitFor();
    await page.locator(".versions-bundle", { hasText: "2.0.0" }).getByText("deprecated").first().waitFor();
    await node(page, "2.2.0").click();
    await inEditor(page, "catalog.yaml");
    await page.locator(".versions-bundle.picked", { hasText: "2.2.0" }).getByRole("button", { name: "Show what would have to change" }).click();
    await page.locator(".versions-bundle .versions-move .versions-change", { hasText: "console" }).waitFor();
    const versions = page.locator(".versions-version");
    await versions.first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await untilEqual(() => versions.nth(1).getAttribute("aria-pressed"), "true", "the second is picked by keys");
    await page.getByRole("button", { name: "All packages" }).click();
    await page.getByRole("searchbox", { name: "Find a package" }).waitFor();
  });

  await journey("what is chosen is locked, and stays", shop(), async (page) => {
    await opened(page);
    await page.getByRole("button", { name: "Lock these versions" }).click();
    await page.locator(".rail-row", { hasText: "planloom.lock" }).locator(".rail-apart", { hasText: "lock" }).waitFor();
    await page.getByRole("button", { name: "Update the lock" }).waitFor();
    const lock = await stored(page, "planloom.lock");
    assert(lock.includes("\nformat: planloom.lock/1\n") && lock.includes("3.1.0"), `the lock is ${lock}`);
    await page.getByRole("button", { name: /^Undo/ }).first().click();
    await page.getByRole("button", { name: "Lock these versions" }).waitFor();
  });

  await journey("a catalog that is too large to edit is shown where one looks", kept([["app.yaml", APP]]), async (page) => {
    await page.waitForSelector(".cm-content");
    await page.evaluate(async (text) => {
      const transfer = new DataTransfer();
      const more = Array.from({ length: 14000 }, (_, at) => `# ${at} ${"-".repeat(90)}`).join("\n");
      transfer.items.add(new File([`${text}\n${more}\n`], "catalog.yaml", { type: "application/yaml" }));
      for (const kind of ["dragenter", "drop"]) document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, CATALOG);
    await page.locator(".editor-large").getByText(/too large to edit here/).waitFor();
    await show(page, "Versions");
    await row(page, "queue").click();
    await page.locator(".versions-about .place").first().click();
    await page.locator(".editor-large .large-line[data-here]", { hasText: "queue.v3.1.0" }).waitFor();
  });

  const away = {
    ...shop(),
    expected: /planloom-engine_versions|Failed to load resource|ERR_FAILED|Failed to fetch/,
  };
  const part = "**/planloom-engine_versions.wasm";
  const offline = { ...away, before: async (page, context) => (await away.before(page, context), context.route(part, (route) => route.abort())) };
  await shippedJourney("what chooses versions could not be loaded, and is tried again", offline, async (page, { context }) => {
    const bar = page.locator(".machine-bar", { hasText: "A part of the engine could not be loaded." });
    await bar.waitFor();
    await until(() => problems(page), (said) => said.startsWith("1 error"), "what is said of it");
    await context.unroute(part);
    await bar.getByRole("button", { name: "Try again" }).click();
    await page.waitForSelector(".chip-plan .chip-action:not(.chip-zero)");
    await bar.waitFor({ state: "detached" });
    equal(await problems(page), "No problems", "what is said when it is there");
  });

  await journey("without packages one is told what fills the view, and can open an example", async (page) => {
    await ready(page);
    await command(page, "show versions");
    await page.getByText("No versions to choose yet").waitFor();
    await page.getByRole("button", { name: "Open an example" }).click();
    await page.locator(".versions-sentence").waitFor();
    equal(await problems(page), "No problems", "problems of the example");
    await page.keyboard.press("Alt+Digit1");
    await page.keyboard.press("Alt+Digit5");
    await page.locator(".versions-sentence").waitFor();
  });

  for (const theme of ["light", "dark"]) {
    for (const [name, width, height] of [["wide", 1440, 900], ["narrow", 390, 844]]) {
      await journey(`versions are legible and accessible, ${name} ${theme}`, { ...shop(), width, height, theme }, async (page) => {
        const look = async (what) => {
          await accessible(page, what);
          await shot(page, `versions-${name}-${theme}-${what}`);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert(wide <= 0, `${what} is ${wide} pixels wider than the screen`);
        };
        if (name === "narrow") {
          await page.getByRole("navigation", { name: "Screens" }).getByRole("button", { name: "View" }).click();
          await show(page, "Versions");
          await page.locator(".versions-sentence").waitFor();
        } else {
          await opened(page);
        }
        await look("chosen");
        await range(page, "queue").fill("^2.0.0");
        await change(page, "console").waitFor();
        await look("what-if");
        await range(page, "console").fill("^2.0.0");
        await page.locator(".versions-no").waitFor();
        await look("what-if-not");
        await page.locator(".versions-buttons .primary-button").click();
        await page.locator(".versions-conflict").first().waitFor();
        await look("conflict");
        await page.getByRole("button", { name: /^Undo/ }).first().click();
        await row(page, "queue").click();
        await page.locator(".versions-why").waitFor();
        await look("why");
        await page.getByRole("group", { name: "Show" }).getByRole("button", { name: "Packages" }).click();
        await look("packages");
        await page.locator(".versions-open", { hasText: "queue" }).click();
        await page.locator(".versions-graph .graph-node").first().waitFor();
        await look("upgrades");
      });
    }
  }
}
