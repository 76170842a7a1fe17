// The built documentation: every link leads somewhere, every page of the suite has its examples, and they are alive.
// `node docs.mjs FOLDER`; the last line is `N passed, N failed`.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, check, equal, finish, withBrowser } from "../npm/harness.mjs";
import { accessible, onPage, ready, serving } from "./page.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2]);
const pages = readdirSync(folder, { recursive: true }).filter((it) => it.endsWith(".html") && it !== "404.html");
const texts = new Map(pages.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
const anchors = new Map([...texts].map(([name, text]) => [name, new Set([...text.matchAll(/ (?:id|name)="([^"]*)"/g)].map((it) => it[1]))]));

try {
  await check("every link leads to a page and a heading", links);
  await check("every page of the suite has its example files", suite);
  await check("every verb has a page, every kind of resource, and every code an anchor", generated);
  await withBrowser(async (browser) => {
    const on = (what, page, use, options) => check(what, () => serving(folder, (at) => onPage(browser, at + page, use, options)));
    await on("the first page is alive", "", first);
    await on("the tutorial is alive", "tutorial.html", tutorial);
    await on("a page of the suite is alive", "examples/plan.html", example);
    await on("the chain of controllers works", "controllers.html", controllers);
    await on("axe-core finds nothing in the elements of the tutorial", "tutorial.html", async (page) => {
      await tutorialReady(page);
      await accessible(page);
    });
    await on("without JavaScript the tutorial shows its files", "tutorial.html", async (page) => {
      assert((await page.locator("#three pre").count()) === 2 && (await page.locator("#three pre").first().isVisible()), "the files are not shown");
    }, { javaScriptEnabled: false });
  });
} finally {
  finish();
}

function links() {
  const dead = [];
  let seen = 0;
  for (const [name, text] of texts) {
    for (const [, address] of text.matchAll(/<a\b[^>]*? href="([^"]*)"/g)) {
      if (/^[a-z]+:/i.test(address)) continue;
      seen += 1;
      if (!leads(name, address.replaceAll("&amp;", "&"))) dead.push(`${name}: ${address}`);
    }
  }
  assert(seen > 1000, `only ${seen} links were found`);
  equal(dead.slice(0, 40).join("\n"), "", `${dead.length} dead links`);
}

function leads(from, address) {
  const [path, fragment = ""] = address.split("#");
  const base = path.startsWith("/") ? folder : dirname(join(folder, from));
  const target = path === "" ? join(folder, from) : join(base, decodeURIComponent(path));
  const file = [target, `${target}.html`, join(target, "index.html")].find((it) => existsSync(it) && statSync(it).isFile());
  if (!file) return false;
  const there = anchors.get(relative(folder, file));
  const id = decodeURIComponent(fragment);
  // The target inside an element is behind a colon.
  return id === "" || there === undefined || there.has(id) || there.has(id.split(":")[0]);
}

/** Each page is there, and as many files are in elements as the page of the suite has. */
function suite() {
  const source = join(here, "../suite");
  const wrong = [];
  for (const file of readdirSync(source).filter((it) => it.endsWith(".md"))) {
    const text = texts.get(join("examples", file.replace(/\.md$/, ".html")));
    const wanted = [...readFileSync(join(source, file), "utf8").matchAll(/^```\S+ ([\w.-]+\.ya?ml)$/gm)].length;
    const there = text?.match(/<div data-file="/g)?.length ?? 0;
    const elements = text?.match(/<planloom-editor/g)?.length ?? 0;
    if (text === undefined || there < wanted || (wanted > 0 && elements === 0)) wrong.push(`${file}: ${there} of ${wanted} files`);
  }
  equal(wrong.join("\n"), "", "pages without their files");
}

function generated() {
  const verbs = readFileSync(join(here, "../../crates/cli/src/args/mod.rs"), "utf8").split("enum Command {")[1].split("\n}")[0];
  const names = [...verbs.replace(/#\[command\([^\]]*\bhide = true[^\]]*\]\s+\w+/g, "").matchAll(/^ {4}([A-Z]\w*)[({,]/gm)].map(([, name]) => name.replace(/(?<=.)[A-Z]/g, (it) => `-${it}`).toLowerCase());
  assert(names.length > 10, `only ${names.length} verbs were found`);
  const missing = names.filter((name) => !texts.get(`commands/${name}.html`)?.includes("<table"));
  const kinds = ["service", "network", "payload", "link_type", "meta"].filter((it) => !texts.get(`reference/${it}.html`)?.includes("<h3"));
  const { codes } = JSON.parse(readFileSync(join(here, "../../web/npm/src/codes.json"), "utf8"));
  const anchor = ({ code }) => [`codes/${code.split("/")[0]}.html`, code.split("/")[1]];
  const undocumented = codes.map(anchor).filter(([page, id]) => !anchors.get(page)?.has(id));
  equal([...missing, ...kinds, ...undocumented].join(), "", "pages that are missing");
}

async function controllers(page) {
  const chain = page.locator(".chain");
  await chain.getByText("The square root of 9 is 3.").waitFor();
  await chain.getByRole("textbox", { name: "Number" }).fill("-4");
  await chain.getByRole("button", { name: "Create" }).click();
  await chain.getByText("-4 has no square root").waitFor();
  await chain.getByRole("button", { name: "Tear down 9" }).click();
  await chain.getByText("tearing down, held by root").waitFor();
  await chain.getByText("The square root of 9 is 3.").waitFor({ state: "detached" });
}

async function first(page) {
  await page.locator("#try").scrollIntoViewIfNeeded();
  await ready(page, "try");
  await page.locator("planloom-plan .sentence", { hasText: "3 resources will be created" }).waitFor();
}


async function tutorialReady(page) {
  for (const id of ["one", "two", "three", "four"]) {
    await page.locator(`#${id}`).scrollIntoViewIfNeeded();
    await ready(page, id);
  }
}

/** What the tutorial says happens, happens. */
async function tutorial(page) {
  await tutorialReady(page);
  const sentence = await page.locator("#four .sentence").innerText();
  assert(sentence.startsWith("services.mailer will be destroyed"), `the last plan says ${sentence}`);
  await page.locator("#four [data-simulate=run]").click();
  await page.locator("#four .simulation [role=status]", { hasText: "Simulated: 8 steps done" }).waitFor();
  await page.locator("#four [data-simulate=keep]").click();
  await page.locator("#four .sentence", { hasText: "Nothing to do" }).waitFor();
  await page.locator("#three [role=tab]", { hasText: "prod.yaml" }).waitFor();
  equal(await page.locator("#three [aria-selected=true]").innerText(), "prod.yaml", "the file that is shown");
  await page.locator("#one").scrollIntoViewIfNeeded();
  await page.locator("#one .cm-line", { hasText: "network: lan" }).click();
  await page.keyboard.press("End");
  for (let at = 0; at < 4; at += 1) await page.keyboard.press("Backspace");
  await page.keyboard.type("wan}");
  await page.locator("#one .strip", { hasText: "1 error" }).waitFor();
}

async function example(page) {
  await page.locator("#example-s0").scrollIntoViewIfNeeded();
  await ready(page, "example-s0");
  await page.locator("#example-p1").scrollIntoViewIfNeeded();
  await ready(page, "example-p1");
  equal(await page.locator("#example-p1 .sentence").innerText(), "Everything is new: 3 resources will be created.", "the plan");
}
