// A browser with one page, served under the strictest content security policy the editor promises to work with.
import { createServer } from "node:http";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
const files = {
  "/": [join(here, "page.html"), "text/html"],
  "/page.css": [join(here, "page.css"), "text/css"],
  "/page.mjs": [join(here, "page.mjs"), "text/javascript"],
  "/editor.js": [join(here, "..", "dist", "editor.js"), "text/javascript"],
};
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; require-trusted-types-for 'script'";
const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];

export async function open() {
  const executablePath = process.env.CHROME || "/usr/bin/chromium";
  if (!existsSync(executablePath)) return null;
  const server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const browser = await chromium.launch({ executablePath, args: [...flags, "--disable-component-update", "--disable-sync"] });
  const url = `http://127.0.0.1:${server.address().port}/`;
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { url, browser, close };
}

function answer({ url }, response) {
  const found = files[url];
  if (!found) return response.writeHead(url === "/favicon.ico" ? 204 : 404).end();
  response.writeHead(200, { "content-type": `${found[1]}; charset=utf-8`, "content-security-policy": policy });
  response.end(readFileSync(found[0]));
}

/** A fresh page; `errors` collects everything the console complains about. */
export async function newPage({ url, browser }, options = {}) {
  const context = await browser.newContext({ viewport: { width: 900, height: 600 }, ...options });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(url);
  await page.waitForFunction(() => window.editor);
  return { page, errors, close: () => context.close() };
}
