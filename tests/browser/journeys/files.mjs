// Files: names, order, coming and going.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { append, chord, command, files as listed, open, planSaid, ready, show, stored, untilErrors, untilPlan, untilProblems } from "../app.mjs";
import { accessible, assert, equal, journey, until, untilEqual } from "../harness.mjs";

const names = (page, expected) => until(() => listed(page), (now) => JSON.stringify(now) === JSON.stringify(expected), `files are ${expected}`);

const folder = mkdtempSync(join(tmpdir(), "planloom-browser-"));
const written = (name, text) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

async function clear(page) {
  await command(page, "delete all files");
  await page.getByRole("heading", { name: "Drop YAML files, a folder or a zip" }).waitFor();
}

const row = (page, name) => page.getByRole("navigation", { name: "Files" }).locator(".rail-open", { hasText: name });

export async function files() {
  await journey("a file is renamed everywhere and the old name comes back", async (page) => {
    await ready(page);
    await row(page, "prod.yaml").focus();
    await page.keyboard.press("F2");
    const field = page.getByRole("textbox", { name: "New name of prod.yaml" });
    await field.fill("production.yaml");
    await field.press("Enter");
    await names(page, ["base.yaml", "production.yaml"]);
    await untilProblems(page, "No problems");
    await show(page, "Merged");
    await page.locator(".merged-line .merged-layer[title='production.yaml']").first().waitFor();
    await page.getByRole("button", { name: "Undo rename" }).click();
    await names(page, ["base.yaml", "prod.yaml"]);
  });

  await journey("a new file is written in at once", async (page) => {
    await ready(page);
    await page.getByRole("button", { name: "New file" }).click();
    await page.locator(".editor-head .layer-name", { hasText: "untitled.yaml" }).waitFor();
    await until(() => page.evaluate(() => document.activeElement.className), (name) => name.includes("cm-content"), "the focus is in the editor");
    await page.keyboard.type("meta:");
    await command(page, "new file");
    await page.locator(".editor-head .layer-name", { hasText: "untitled-2.yaml" }).waitFor();
    await until(() => page.evaluate(() => document.activeElement.className), (name) => name.includes("cm-content"), "from the palette too");
    await page.keyboard.type("# two");
    await names(page, ["base.yaml", "prod.yaml", "untitled.yaml", "untitled-2.yaml"]);
    equal([await stored(page, "untitled.yaml"), await stored(page, "untitled-2.yaml")], ["meta:", "# two"], "texts");
  });

  await journey("a file has one name, which is said when it is not the one that was typed", async (page) => {
    await ready(page);
    await row(page, "prod.yaml").focus();
    await page.keyboard.press("F2");
    const field = page.getByRole("textbox", { name: "New name of prod.yaml" });
    await field.fill("a/b.txt");
    await field.press("Enter");
    await page.getByText("Renamed prod.yaml to a/b.txt.yaml: descriptors end in .yaml").waitFor();
    await names(page, ["base.yaml", "a/b.txt.yaml"]);
    await append(page, "services: {web: {paylod: x}}\n");
    await open(page, "a/b.txt.yaml");
    await append(page, "    paylod: x\n");
    await page.locator(".problem-place", { hasText: "a/b.txt.yaml:" }).first().waitFor();
    await page.locator(".toast").getByRole("button", { name: "Dismiss" }).click();
  });

  await journey("nothing written is no mistake", async (page) => {
    await ready(page);
    await clear(page);
    const calm = async () => {
      await untilProblems(page, "Nothing is written yet");
      await until(() => planSaid(page), (said) => said === "No plan", "no plan");
      equal(await page.locator(".severity-error").count(), 0, "red signs");
      equal(await page.title(), "Planloom", "title");
    };
    await calm();
    await page.getByRole("button", { name: "New file" }).first().click();
    await page.locator(".editor-head .layer-name", { hasText: "untitled.yaml" }).waitFor();
    await page.waitForTimeout(300);
    await calm();
    await page.keyboard.insertText("meta: {name: mine}\n");
    await until(() => page.title(), (title) => title.includes("mine"), "the name");
    await page.keyboard.press(chord("a"));
    await page.keyboard.press("Delete");
    await calm();
    await page.keyboard.press(chord("z"));
    await until(() => page.title(), (title) => title.includes("mine"), "the name again");
  });

  await journey("the page is called as the files say, also when they cannot be planned", async (page) => {
    await ready(page);
    await row(page, "base.yaml").focus();
    await page.keyboard.press("Delete");
    await until(() => page.title(), (title) => !title.includes("sample-shop"), "the name went with its file");
    equal(await page.locator(".top-deployment").count(), 0, "the name in the bar");
    await page.keyboard.press("Delete");
    await until(() => page.locator(".toast").allTextContents(), (said) => said.length === 1 && said[0].startsWith("Deleted prod.yaml"), "one word at a time");
  });

  await journey("two files never share a name", async (page) => {
    await ready(page);
    await row(page, "prod.yaml").dblclick();
    const field = page.getByRole("textbox", { name: "New name of prod.yaml" });
    await field.fill("base.yaml");
    await field.press("Enter");
    await page.getByText("There is already a file named base.yaml.").waitFor();
    await names(page, ["base.yaml", "prod.yaml"]);
  });

  await journey("the order decides, by keyboard and by dragging", async (page) => {
    await ready(page);
    await show(page, "Merged");
    const version = page.locator(".merged-line", { hasText: "version" });
    await until(() => version.textContent(), (text) => text.includes("0.2.0") && text.startsWith("B"), "prod wins");
    await row(page, "prod.yaml").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await names(page, ["prod.yaml", "base.yaml"]);
    await until(() => version.textContent(), (text) => text.startsWith("A"), "base wins");
    await untilEqual(() => page.evaluate(() => document.activeElement.textContent.includes("prod.yaml")), true, "the focus moves along");
    await page.keyboard.press("Alt+ArrowDown");
    await names(page, ["base.yaml", "prod.yaml"]);

    const grip = page.locator(".rail-row").nth(1).locator(".rail-grip");
    const target = await page.locator(".rail-row").first().boundingBox();
    await page.locator(".rail-row").nth(1).hover();
    const from = await grip.boundingBox();
    await page.mouse.move(from.x + 5, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(target.x + 10, target.y + 8, { steps: 4 });
    await until(() => version.textContent(), (text) => text.startsWith("A"), "the views follow while dragging");
    await page.keyboard.press("Escape");
    await names(page, ["base.yaml", "prod.yaml"]);
    await page.mouse.up();
  });

  await journey("a deleted file comes back with undo", async (page) => {
    await ready(page);
    await row(page, "prod.yaml").focus();
    await page.keyboard.press("Delete");
    await names(page, ["base.yaml"]);
    await untilPlan(page, "Plan: 3 to create");
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await names(page, ["base.yaml", "prod.yaml"]);
    await untilPlan(page, "Plan: 4 to create");
  });

  await journey("an empty workspace offers examples with pictures", async (page) => {
    await ready(page);
    await clear(page);
    await until(() => page.locator(".picture-node").count(), (count) => count >= 10, "pictures of the graphs");
    await untilEqual(() => page.locator(".empty-card").count(), 8, "examples");
    await accessible(page, "the empty page");
    await page.locator(".empty-card", { hasText: "rendering farm" }).click();
    await names(page, ["farm.yaml", "workers.yaml", "night.yaml"]);
    await untilProblems(page, "No problems");
  });

  await journey("a zip goes out and comes in again", async (page) => {
    await ready(page);
    await page.getByRole("button", { name: "Import and export" }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: "Export as zip" }).click()]);
    equal(download.suggestedFilename(), "sample-shop.zip", "name");
    const path = join(folder, "shop.zip");
    await download.saveAs(path);
    equal(readFileSync(path).subarray(0, 2).toString(), "PK", "a zip archive");
    await clear(page);
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Choose files or a zip" }).click()]);
    await chooser.setFiles(path);
    await names(page, ["base.yaml", "prod.yaml"]);
    // Among files of one package there is no order, so the two now disagree, and the problem names both places.
    await untilErrors(page);
    await row(page, "prod.yaml").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowDown");
    await untilProblems(page, "No problems");
  });

  await journey("what is not a descriptor is refused with a reason", async (page) => {
    await ready(page);
    const pick = async (path) => {
      await page.getByRole("button", { name: "Import and export" }).click();
      const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("menuitem", { name: /Import files/ }).click()]);
      await chooser.setFiles(path);
    };
    await pick(written("binary.yaml", Buffer.from([0xff, 0xfe, 0x00, 0x01])));
    await page.getByText("binary.yaml is not UTF-8 text.").waitFor();
    await pick(written("broken.zip", "PK not really"));
    await page.locator(".toast", { hasText: "broken.zip" }).waitFor();
    equal(await listed(page), ["base.yaml", "prod.yaml"], "files");
    await pick(written("extra.yaml", "services:\n  worker:\n    payload: web\n"));
    await until(() => listed(page), (now) => now.includes("extra.yaml"), "the good one is added");
  });

  await journey("dropped files and pasted text become layers", async (page) => {
    await ready(page);
    await clear(page);
    await page.evaluate(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(["meta:\n  name: dropped\n"], "one.yaml"));
      transfer.items.add(new File(["meta:\n  version: '1'\n"], "two.yaml"));
      for (const type of ["dragover", "drop"]) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
      }
    });
    await names(page, ["one.yaml", "two.yaml"]);
    await until(() => page.title(), (title) => title.includes("dropped"), "the name of the deployment");
    await page.locator("body").click({ position: { x: 100, y: 600 } });
    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "meta:\n  author: pasted\n");
      document.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    });
    await names(page, ["one.yaml", "two.yaml", "pasted.yaml"]);
    equal(await stored(page, "pasted.yaml"), "meta:\n  author: pasted\n", "text");
  });

  await journey("what was just dropped is being checked, and is not called valid before", async (page) => {
    await ready(page);
    await untilProblems(page, "No problems");
    await page.evaluate(() => {
      window.said = [];
      const chips = document.querySelector(".chips");
      new MutationObserver(() => window.said.push(chips.querySelector(".chip-problems").title)).observe(chips, { subtree: true, childList: true, characterData: true, attributes: true });
      const transfer = new DataTransfer();
      transfer.items.add(new File(["services: [{\n"], "garbage.yaml"));
      for (const type of ["dragover", "drop"]) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
      }
    });
    await names(page, ["garbage.yaml"]);
    await untilErrors(page);
    const said = await page.evaluate(() => window.said);
    const dropped = said.indexOf("Checking");
    assert(dropped >= 0 && !said.slice(dropped).includes("No problems"), `what the chip said: ${said}`);
  });

  await journey("undo crosses files", async (page) => {
    await ready(page);
    await open(page, "base.yaml");
    await page.getByRole("button", { name: "New file" }).click();
    await names(page, ["base.yaml", "prod.yaml", "untitled.yaml"]);
    await row(page, "untitled.yaml").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press(chord("z"));
    await names(page, ["base.yaml", "prod.yaml", "untitled.yaml"]);
    await page.keyboard.press(chord("z"));
    await names(page, ["base.yaml", "prod.yaml"]);
    await page.keyboard.press(chord("Shift+z"));
    await names(page, ["base.yaml", "prod.yaml", "untitled.yaml"]);
    await page.locator(".toast", { hasText: "Redid new file" }).waitFor();
  });
}
