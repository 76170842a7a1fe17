// How a person uses the app: the words the journeys are written in.
import { readFileSync } from "node:fs";
import { until } from "./harness.mjs";

/** The text of an example's file. */
export const example = (example, file) =>
  readFileSync(new URL(`../../static/examples/${example}/${file}`, import.meta.url), "utf8");

/** Pages of a context find these files, each a name and a text, kept by an earlier version of the app, unless they keep others. */
export const keepFiles = (context, files) =>
  context.addInitScript((files) => {
    // A page of the browser's own, such as that of a server that does not answer, keeps nothing.
    if (self.origin === "null") return;
    if (location.hash.startsWith("#example=")) history.replaceState(null, "", location.pathname + location.search);
    if (localStorage.getItem("planloom/workspace")) return;
    const kept = files.map(([name], at) => ({ key: at + 1, name, slot: at, package: null }));
    files.forEach(([, text], at) => localStorage.setItem(`planloom/text/${at + 1}`, text));
    localStorage.setItem("planloom/workspace", JSON.stringify({ format: "planloom.workspace/1", files: kept, selected: 1 }));
  }, files);

/** The same with one file. */
export const keepFile = (context, text) => keepFiles(context, [["app.yaml", text]]);

/** A network, and so many services on it, each waiting for one before it. */
export const services = (count) => {
  const service = (_, at) => `  s${at}: {payload: web, network: lan${at > 0 ? `, depends_on: [s${Math.floor((at - 1) / 3)}]` : ""}}\n`;
  return `meta: {name: large}\npayloads:\n  web: {runtime: vm, params: {image_tag: me/web:1.0}}\nnetworks:\n  lan: {ip: 10.0.0.0/16}\nservices:\n${Array.from({ length: count }, service).join("")}`;
};

/** The app, once the engine has answered and the editor is there. */
export async function ready(page) {
  await page.waitForSelector(".cm-content");
  await page.waitForSelector(".chip-plan .chip-action:not(.chip-zero)");
}

export const chord = (key) => `Control+${key}`;

/** Names of the files, in merge order. */
export const files = (page) => page.locator(".rail-name").allTextContents();

/** Opens a file in the editor. */
export async function open(page, name) {
  await page.getByRole("navigation", { name: "Files" }).getByRole("button", { name, exact: false }).first().click();
  await page.locator(".editor-head .layer-name", { hasText: name }).waitFor();
}

/** Waits until everything on the page is kept. */
export const untilSaved = (page) => page.waitForSelector("html:not([data-unsaved])", { state: "attached" });

/** The text of a file, as the app keeps it. */
export async function stored(page, name) {
  await untilSaved(page);
  const kept = await database(page);
  const file = JSON.parse(kept.workspace ?? "null")?.files.find((file) => file.name === name);
  return file ? kept[`workspace/text/${String(file.key).padStart(10, "0")}`] : null;
}

/** Everything that the app keeps in the browser's database. */
export const database = (page) =>
  page.evaluate(async () => {
    const db = await new Promise((resolve, reject) => {
      const request = indexedDB.open("planloom", 1);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const store = db.transaction("kept").objectStore("kept");
    const get = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
    const [keys, values] = await Promise.all([get(store.getAllKeys()), get(store.getAll())]);
    db.close();
    return Object.fromEntries(keys.map((key, at) => [key, values[at]]));
  });

/** Puts the cursor at the end of a line that holds `text`. */
export async function cursorAfter(page, text) {
  await page.locator(".cm-line", { hasText: text }).first().click();
  await page.keyboard.press("End");
}

/** Writes at the end of the document without the editor's own indentation and brackets. */
export async function append(page, text) {
  await page.locator(".cm-content").focus();
  await page.keyboard.press(chord("End"));
  await page.keyboard.insertText(text);
}

/** The chip that counts problems. */
export const problemsChip = (page) => page.locator(".chip-problems");

export const problems = (page) => problemsChip(page).getAttribute("title");

/** Waits until there are errors. */
export const untilErrors = (page) => until(() => problems(page), (said) => /^\d+ error/.test(said), "there are errors");

/** Waits until the problems chip says so. */
export const untilProblems = (page, said) => until(() => problems(page), (now) => now === said, `problems are "${said}"`);

export const planSaid = (page) => page.locator(".chip-plan").getAttribute("title");

/** What the plan is said to be once it is that of the files. */
export const settledPlan = (page) => until(() => planSaid(page), (now) => now?.startsWith("Plan:"), "there is a plan of the files");

export const untilPlan = (page, said) => until(() => planSaid(page), (now) => now === said, `the plan is "${said}"`);

/** The figures of what is on a drawing: how many nodes there are, which edges are drawn, how much of them. */
export const drawn = async (page, within = "") =>
  JSON.parse((await page.locator(`${within} .graph-view`).getAttribute("data-drawn")) || "null");

/** The node of a drawing whose address or name that is. */
export const node = (page, name) => page.locator(`.graph-node[aria-label^="${name}, "]`);

/** Gives a command of the palette. */
export async function command(page, words) {
  await page.keyboard.press(chord("k"));
  await page.getByRole("combobox", { name: "Find a command" }).fill(words);
  await page.keyboard.press("Enter");
}

/** Opens a view, and waits until it is loaded. */
export async function show(page, name) {
  await page.getByRole("tab", { name: new RegExp(`^${name}`) }).click();
  await page.locator(".panel .pane-waiting").waitFor({ state: "detached" });
}
