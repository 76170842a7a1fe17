// The app on the user's own files: `planloom serve FILES` and the page follow each other, and neither loses anything.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { append, database, files, open, ready } from "../app.mjs";
import { accessible, assert, equal, journey, shot, site, skipped, until, untilEqual, wants } from "../harness.mjs";
import { COMMAND, PLANLOOM, started } from "../home.mjs";

const BASE = "meta: {name: own}\npayloads: {web: {runtime: vm, params: {image_hash: demo}}}\n";
const PROD = "services: {site: {payload: web}}\n";
const BOTH = "what changes on disk is shown, and what changes in the page is written";
const CONFLICT = "what changed on disk and here is shown, and both are kept";
const MERGED = "what changed on disk and here is merged line by line";
const RESTART = "a server that is gone loses nothing, and another version offers a reload";
const REMOVED = "the workspace is not replaced on disk without a word";
const KEPT = "what is left out, environments and what can be undone are there after a reload";
const EXAMPLE = "an example opens in a tab of its own, with the simulator";
const TOKEN = "0123456789abcdef0123456789abcdef";

/** A folder of descriptors, and what serves it. */
class Disk {
  constructor() {
    this.home = mkdtempSync(join(tmpdir(), "planloom-"));
    this.folder = join(this.home, "shop");
    mkdirSync(this.folder);
    this.write("base.yaml", BASE);
    this.write("prod.yaml", PROD);
  }

  write(name, text) {
    writeFileSync(join(this.folder, name), text);
  }

  read(name) {
    return existsSync(join(this.folder, name)) ? readFileSync(join(this.folder, name), "utf8") : null;
  }

  names() {
    return readdirSync(this.folder).sort();
  }

  /** Starts a server, on that port and with that app. */
  async serve({ program, words }, port, app = site) {
    return started(this.home, ["--app", app, ...words(this.home), "--port", String(port), "shop"], { PLANLOOM_TOKEN: TOKEN }, program);
  }

  end() {
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** A port that is free now, so that a server can be started on it again. */
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** What serves files: the native program, and the command of the npm package. */
const NATIVE = { name: "files", file: PLANLOOM, program: [PLANLOOM], words: (home) => ["--adapter", "simulator", "--state-folder", join(home, "states")] };
const NODE = { name: "files in Node", file: COMMAND, program: [process.execPath, COMMAND], words: () => [] };

/** A journey on a folder that is served for as long as it goes. */
async function onDisk(kind, what, options, body) {
  const name = `${kind.name}: ${what}`;
  if (!wants(name)) return;
  const [disk, port] = [new Disk(), await freePort()];
  const serve = (app) => disk.serve(kind, port, app);
  const server = await serve();
  try {
    await journey(name, { at: server.said.page, ...options }, (page, rest) => body(page, { disk, serve, server, ...rest }));
  } finally {
    await server.end();
    disk.end();
  }
}

const bar = (page, text) => page.locator(".machine-bar", { hasText: text });
const untilDisk = (disk, name, holds, what) => until(async () => disk.read(name), (text) => text !== null && holds(text), what);
const line = (page, text) => page.locator(".cm-line", { hasText: text }).first().waitFor();

export const ownFiles = () => journeysOf(NATIVE);
export const ownFilesInNode = () => journeysOf(NODE);

async function journeysOf(kind) {
  if (![BOTH, CONFLICT, MERGED, RESTART, REMOVED, KEPT, EXAMPLE].some((it) => wants(`${kind.name}: ${it}`))) return;
  if (!existsSync(kind.file)) return skipped(kind.name, `${kind.file} not there`);

  await onDisk(kind, BOTH, {}, async (page, { disk, context }) => {
    await ready(page);
    await untilEqual(() => files(page), ["base.yaml", "prod.yaml"], "exactly the files of the folder");
    equal(await page.evaluate(() => location.hash), "", "the token in the address");
    equal(await page.title(), "own – Planloom", "what they describe");

    await open(page, "prod.yaml");
    const before = Date.now();
    disk.write("prod.yaml", `${PROD}# from an editor\n`);
    await line(page, "# from an editor");
    console.log(`     shown after ${Date.now() - before} ms`);
    await page.locator(".toast", { hasText: "prod.yaml changed on disk" }).waitFor();

    await append(page, "# from the page\n");
    await untilDisk(disk, "prod.yaml", (text) => text.endsWith("# from an editor\n# from the page\n"), "the text on disk");
    disk.write("later.yaml", "services: {later: {payload: web}}\n");
    await until(() => files(page), (names) => names.join() === "base.yaml,later.yaml,prod.yaml", "a new file");
    rmSync(join(disk.folder, "later.yaml"));
    await until(() => files(page), (names) => names.join() === "base.yaml,prod.yaml", "a file that is gone");

    await page.locator("#pick-files").setInputFiles([{ name: "added.yaml", mimeType: "application/yaml", buffer: Buffer.from("meta: {name: own}\n") }]);
    await untilDisk(disk, "added.yaml", (text) => text === "meta: {name: own}\n", "a file that was added in the page");
    await until(() => files(page), (names) => names.join() === "base.yaml,prod.yaml,added.yaml", "it stays the last one");
    await page.getByRole("button", { name: "Undo", exact: true }).last().click();
    await until(async () => disk.names().join(), (names) => names === "base.yaml,prod.yaml", "it is gone after Undo");

    await page.reload();
    await ready(page);
    await untilEqual(() => files(page), ["base.yaml", "prod.yaml"], "after a reload");
    equal((await database(page)).workspace, undefined, "the workspace in the browser's storage");
    const other = await context.newPage();
    await other.goto(new URL("/", page.url()).href);
    await ready(other);
    equal(await other.title(), "field-station – Planloom", "a page without the link has the browser's own workspace");
  });

  await onDisk(kind, CONFLICT, { expected: /ERR_INTERNET_DISCONNECTED|Failed to fetch|412/ }, async (page, { disk, context }) => {
    await ready(page);
    await open(page, "prod.yaml");
    await context.setOffline(true);
    await append(page, "# mine\n");
    // For a moment the bar of the adapters says so, too.
    await bar(page, "does not respond").first().waitFor();
    await bar(page, "One changed file is kept in this tab").waitFor();
    disk.write("prod.yaml", `${PROD}# theirs\n`);
    await context.setOffline(false);
    const conflict = bar(page, "prod.yaml changed on disk and here.");
    await conflict.waitFor();
    await conflict.getByRole("button", { name: "Show differences" }).click();
    await untilEqual(() => page.getByRole("region", { name: "On disk" }).locator(".changed").allTextContents(), ["# theirs\n"], "what only the disk has");
    await untilEqual(() => page.getByRole("region", { name: "Here" }).locator(".changed").allTextContents(), ["# mine\n"], "what only the page has");
    await shot(page, "own-files-conflict");
    await accessible(page, "a conflict");
    equal(disk.read("prod.yaml"), `${PROD}# theirs\n`, "nothing is written before somebody chooses");
    for (let reload = 0; reload < 2; reload += 1) {
      await page.reload();
      await conflict.waitFor();
    }
    equal(disk.read("prod.yaml"), `${PROD}# theirs\n`, "nor after two reloads");
    await open(page, "prod.yaml");

    await conflict.getByRole("button", { name: "Keep mine" }).click();
    await untilDisk(disk, "prod.yaml", (text) => text === `${PROD}# mine\n`, "mine is written");
    await conflict.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Undo/ }).first().click();
    await line(page, "# theirs");
    await untilDisk(disk, "prod.yaml", (text) => text === `${PROD}# theirs\n`, "Undo brings theirs back");
    await page.getByRole("button", { name: /^Redo/ }).first().click();
    await untilDisk(disk, "prod.yaml", (text) => text === `${PROD}# mine\n`, "and Redo mine");
  });

  await onDisk(kind, MERGED, { expected: /ERR_INTERNET_DISCONNECTED|Failed to fetch|412/ }, async (page, { disk, context }) => {
    const conflict = bar(page, "prod.yaml changed on disk and here.");
    const both = async (here, there) => {
      await context.setOffline(true);
      await append(page, here);
      await bar(page, "One changed file is kept in this tab").waitFor();
      disk.write("prod.yaml", there);
      await context.setOffline(false);
      await conflict.waitFor();
    };
    await ready(page);
    await open(page, "prod.yaml");
    await both("# mine\n", `# theirs\n${PROD}`);
    await page.reload();
    await conflict.getByRole("button", { name: "Keep both changes" }).click();
    await untilDisk(disk, "prod.yaml", (text) => text === `# theirs\n${PROD}# mine\n`, "lines that only one side has changed");
    await conflict.waitFor({ state: "detached" });

    await open(page, "prod.yaml");
    await both("# 2 mine\n", `# 2 theirs\n${PROD}# mine\n# also theirs\n`);
    equal(await conflict.getByRole("button", { name: "Keep both changes" }).count(), 0, "offers of what needs a choice");
    await conflict.getByRole("button", { name: "Show differences" }).click();
    const merge = page.getByRole("region", { name: "Merge prod.yaml" });
    const use = merge.getByRole("button", { name: "Use the merged file" });
    equal(await use.isDisabled(), true, "a merge without a choice");
    await shot(page, "own-files-merge");
    await accessible(page, "a merge");
    await merge.getByRole("button", { name: "Both", exact: true }).click();
    await use.click();
    const merged = `# 2 theirs\n${PROD}# mine\n# also theirs\n# 2 mine\n`;
    await untilDisk(disk, "prod.yaml", (text) => text === merged, "what was chosen, and all other changes");
    await page.getByRole("button", { name: /^Undo/ }).first().click();
    await line(page, "# 2 mine");
    await untilDisk(disk, "prod.yaml", (text) => text === `# theirs\n${PROD}# mine\n# 2 mine\n`, "Undo brings mine back");
  });

  await onDisk(kind, RESTART, { expected: /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE/ }, async (page, { disk, serve, server, context }) => {
    await ready(page);
    await open(page, "prod.yaml");
    // What fails while a module is loading is reported, and is another journey's business.
    const loaded = () => page.getByRole("button", { name: "Target: the simulator. Apply creates nothing real" }).waitFor();
    await loaded();
    await server.end();
    await bar(page, "planloom serve does not respond.").waitFor();
    await append(page, "# meanwhile\n");
    await bar(page, "One changed file is kept in this tab").waitFor();
    equal(disk.read("prod.yaml"), PROD, "nobody writes it");
    const app = join(disk.home, "app");
    cpSync(site, app, { recursive: true });
    const index = join(app, "index.html");
    writeFileSync(index, readFileSync(index, "utf8").replace("</head>", '<meta name="another-version" /></head>'));
    const next = await serve(app);
    try {
      await untilDisk(disk, "prod.yaml", (text) => text === `${PROD}# meanwhile\n`, "it is written now");
      await bar(page, "Download as zip").waitFor({ state: "detached" });
      const other = bar(page, "planloom serve has another version now");
      await other.waitFor();
      await shot(page, "own-files-version");
      await other.getByRole("button", { name: "Reload" }).click();
      await other.waitFor({ state: "detached" });
      await ready(page);
      await untilEqual(() => page.locator("meta[name=another-version]").count(), 1, "the page of the other version");
      await open(page, "prod.yaml");
      await line(page, "# meanwhile");
      // What is not written when the page goes is there in the next one.
      await loaded();
      await next.end();
      await append(page, "# unsent\n");
      await bar(page, "One changed file is kept in this tab").waitFor();
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide")));
      assert((await page.evaluate(() => sessionStorage.getItem("planloom.unsent"))).includes("# unsent"), "it is kept in the tab");
    } finally {
      await next.end();
    }
  });

  await onDisk(kind, REMOVED, {}, async (page, { disk }) => {
    await ready(page);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Find a command" }).fill("delete all files");
    await page.keyboard.press("Enter");
    const removed = bar(page, "2 files were removed here and are still on disk.");
    await removed.waitFor();
    equal(disk.names(), ["base.yaml", "prod.yaml"], "the files on disk");
    await removed.getByRole("button", { name: "Undo" }).click();
    await removed.waitFor({ state: "detached" });
    await until(() => files(page), (names) => names.join() === "base.yaml,prod.yaml", "they are back");
    equal([disk.read("base.yaml"), disk.read("prod.yaml")], [BASE, PROD], "their texts");
  });

  await onDisk(kind, KEPT, {}, async (page, { disk }) => {
    await ready(page);
    await open(page, "base.yaml");
    await append(page, "# typed\n");
    await untilDisk(disk, "base.yaml", (text) => text.endsWith("# typed\n"), "the text on disk");
    await page.getByRole("navigation", { name: "Files" }).getByRole("button", { name: "prod.yaml", exact: false }).first().focus();
    await page.keyboard.press("m");
    await page.getByRole("button", { name: "Save…" }).click();
    await page.getByLabel("Name of the environment").fill("only the base");
    await page.keyboard.press("Enter");
    const muted = () => page.locator(".rail-row.muted").allTextContents();
    const environment = () => page.getByRole("combobox", { name: "Environment" }).evaluate((it) => it.selectedOptions[0].textContent);
    await until(environment, (name) => name === "only the base", "the environment is named");
    await page.reload();
    await until(muted, (rows) => rows.length === 1 && rows[0].includes("prod.yaml"), "what is left out");
    equal(await environment(), "only the base", "the environment");
    const undo = page.getByRole("button", { name: /^Undo/ }).first();
    await undo.click();
    await undo.click();
    await until(muted, (rows) => rows.length === 0, "nothing is left out any more");
    await undo.click();
    await untilDisk(disk, "base.yaml", (text) => text === BASE, "what was typed before the reload is undone on disk");
    await page.reload();
    await ready(page);
    disk.write("base.yaml", `${BASE}# theirs\n`);
    await page.locator(".toast", { hasText: "base.yaml changed on disk" }).waitFor();
  });

  await onDisk(kind, EXAMPLE, {}, async (page, { disk, context }) => {
    await ready(page);
    await page.getByRole("navigation", { name: "Files" }).getByRole("button", { name: "Examples" }).click();
    const [tab] = await Promise.all([
      context.waitForEvent("page"),
      page.getByRole("dialog", { name: "Examples" }).getByRole("button", { name: /A web shop/ }).click(),
    ]);
    await ready(tab);
    await untilEqual(() => files(tab), ["base.yaml", "prod.yaml"], "the example");
    assert(!(await tab.title()).startsWith("own"), "what it describes");
    await tab.getByRole("button", { name: "Target: the simulator. Apply creates nothing real" }).waitFor();
    await untilEqual(async () => [await files(page), disk.read("prod.yaml")], [["base.yaml", "prod.yaml"], PROD], "the files of the disk");
    equal(await page.title(), "own – Planloom", "and the page that shows them");
  });
}
