// A folder of the disk: opened, saved back into, and never written over what somebody else has changed. The browser's own
// private folder stands for one that a person chooses: no dialog of the system can be answered here.
import { append, chord, command, files, open, ready, stored, untilSaved } from "../app.mjs";
import { accessible, equal, journey, shot, until } from "../harness.mjs";
import { dialog } from "../live.mjs";

const BASE = "meta: {name: own}\npayloads: {web: {runtime: vm, params: {image_hash: demo}}}\n";
const PROD = "services: {site: {payload: web}}\n";

const chosen = (context) =>
  context.addInitScript(() => {
    window.showDirectoryPicker = async () => (await navigator.storage.getDirectory()).getDirectoryHandle("shop", { create: true });
  });

/** Writes a file of the folder as another program does; without a text it is deleted. */
const onDisk = (page, name, text) =>
  page.evaluate(
    async ([name, text]) => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("shop", { create: true });
      if (text === undefined) return folder.removeEntry(name);
      const file = await (await folder.getFileHandle(name, { create: true })).createWritable();
      await file.write(text);
      await file.close();
    },
    [name, text],
  );

/** The files of the folder, and what is in them. */
const disk = (page) =>
  page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("shop");
    const texts = {};
    for await (const [name, handle] of folder.entries()) texts[name] = await (await handle.getFile()).text();
    return texts;
  });

/** The first three bytes of a file of the folder. */
const start = (page, name) =>
  page.evaluate(async (name) => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("shop");
    const file = await (await folder.getFileHandle(name)).getFile();
    return [...new Uint8Array(await file.slice(0, 3).arrayBuffer())];
  }, name);

async function openFolder(page) {
  await onDisk(page, "base.yaml", BASE);
  await onDisk(page, "prod.yaml", `\uFEFF${PROD}`);
  await onDisk(page, "notes.txt", "not ours");
  await command(page, "open a folder");
  await dialog(page).getByRole("button", { name: "Choose a folder…" }).click();
  await until(() => files(page), (now) => now.join() === "base.yaml,prod.yaml", "exactly the files of the folder");
}

const save = async (page, said) => {
  await page.keyboard.press(chord("s"));
  await page.locator(".toast", { hasText: said }).waitFor();
};

export async function folder() {
  await journey("a folder is opened, and saved back into", { before: (_, context) => chosen(context) }, async (page) => {
    await ready(page);
    await openFolder(page);
    await open(page, "prod.yaml");
    await append(page, "# from the page\n");
    equal((await disk(page))["prod.yaml"], PROD, "nothing is written before it is saved");
    await save(page, "Saved 1 file into shop");
    equal((await disk(page))["prod.yaml"], `${PROD}# from the page\n`, "saved");
    equal(await start(page, "prod.yaml"), [0xef, 0xbb, 0xbf], "its byte order mark stays");
    await untilSaved(page);
    await page.reload();
    await ready(page);
    await open(page, "prod.yaml");
    await append(page, "# later\n");
    await save(page, "Saved 1 file into shop");
    const now = await disk(page);
    equal([now["prod.yaml"].endsWith("# later\n"), now["base.yaml"], now["notes.txt"]], [true, BASE, "not ours"], "after a reload");
    await save(page, "Everything is saved in shop");
  });

  await journey("what somebody else has changed in the folder is not written over", { before: (_, context) => chosen(context) }, async (page) => {
    await ready(page);
    await openFolder(page);
    await open(page, "prod.yaml");
    await append(page, "# mine\n");
    await onDisk(page, "prod.yaml", `${PROD}# theirs\n`);
    await page.keyboard.press(chord("s"));
    await dialog(page).getByText("1 file changed in the folder since it was read. Save skips it; Overwrite replaces the folder's version.").waitFor();
    await accessible(page, "the dialog of the folder");
    await shot(page, "folder-conflict");
    equal((await disk(page))["prod.yaml"], `${PROD}# theirs\n`, "it is as it was");
    await dialog(page).getByRole("button", { name: "Overwrite" }).click();
    await page.locator(".toast", { hasText: "Saved 1 file into shop" }).waitFor();
    equal((await disk(page))["prod.yaml"], `${PROD}# mine\n`, "once that is said");

    // Deleting asks, too; and the folder's own files can be taken instead.
    await page.getByRole("navigation", { name: "Files" }).locator(".rail-open", { hasText: "base.yaml" }).focus();
    await page.keyboard.press("Delete");
    await until(() => files(page), (now) => now.join() === "prod.yaml", "it is gone here");
    await page.keyboard.press(chord("s"));
    await dialog(page).locator(".folder-changes", { hasText: "deletebase.yaml" }).waitFor();
    await dialog(page).getByRole("button", { name: "Reload from the folder" }).click();
    await until(() => files(page), (now) => now.join() === "base.yaml,prod.yaml", "it is back");
    equal([await stored(page, "base.yaml"), (await disk(page))["base.yaml"]], [BASE, BASE], "and was never deleted");
  });
}
