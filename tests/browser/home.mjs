// What `planloom serve` serves, and what really became of what the page applied there.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root, site } from "./harness.mjs";

export const PLANLOOM = process.env.PLANLOOM_BINARY ?? join(root, "target/debug/planloom");
/** The command of the npm package. */
export const COMMAND = join(process.env.PLANLOOM_PACKAGE ?? join(root, "web/npm"), "dist/command.js");

/** Runs what it is given until its input ends, be it that this program is killed. */
export const GUARD = 'exec 3<&0; "$@" </dev/null & child=$!; (cat <&3 >/dev/null; kill -INT "$child") >&- 2>&- & wait "$child"';

/** Serves app and adapters for as long as `body` runs. */
export async function served(words, variables, body) {
  const folder = mkdtempSync(join(tmpdir(), "planloom-"));
  const folders = ["process", "container", "golem"].flatMap((name) => [`--${name}-folder`, join(folder, name)]);
  const server = await started(folder, ["--app", site, ...folders, ...words], variables);
  try {
    await body(server.said);
  } finally {
    await server.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a server in a folder: what it says, and what ends it. */
export async function started(folder, words, variables, program = [PLANLOOM]) {
  const args = ["serve", "--format", "json", ...words];
  const env = { ...process.env, ...variables };
  const server = spawn("/bin/sh", ["-c", GUARD, "sh", ...program, ...args], { cwd: folder, env, stdio: ["pipe", "pipe", "inherit"] });
  const end = async () => {
    server.stdin.end();
    await ended(server);
  };
  const said = await line(server.stdout);
  if (said === undefined) {
    await end();
    throw new Error("planloom serve said nothing");
  }
  return { said: JSON.parse(said), end };
}

/** The next line that a program says; nothing where it ends without one. */
export async function line(output) {
  const { value } = await createInterface({ input: output })[Symbol.asyncIterator]().next();
  return value;
}

const ended = (child) =>
  new Promise((resolve) => (child.exitCode === null && child.signalCode === null ? child.once("exit", resolve) : resolve()));

/** What a page says; nothing where nobody is there. */
export const fetched = (address) =>
  new Promise((resolve) => {
    const asked = request(address, { timeout: 2_000, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part) => (text += part)).on("end", () => resolve(text.trim()));
      answer.on("error", () => resolve(undefined));
    });
    asked.on("error", () => resolve(undefined)).on("timeout", () => asked.destroy());
    asked.end();
  });

/**
 * What is recorded as the result of a resource, in the state that the server of the page keeps. It is not the page that reads it:
 * Chromium ends its requests when a network of containers comes.
 */
export async function outputs(page, state, address) {
  const token = await page.evaluate(() => sessionStorage.getItem("planloom.token"));
  const answer = await fetch(new URL(`/state/${state}`, page.url()), { headers: { authorization: `Bearer ${token}` } });
  const resources = answer.status === 200 ? (await answer.json()).resources : {};
  return resources[address]?.outputs ?? {};
}
