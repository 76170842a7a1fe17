// What `planloom serve` serves: adapters, for as long as a function runs.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PLANLOOM = process.env.PLANLOOM_BINARY ?? join(dirname(fileURLToPath(import.meta.url)), "../../target/debug/planloom");

/** Serves in a folder; `use` gets what the server says: `origin`, `token` and `adapters`. */
export async function served({ work, words }, use) {
  mkdirSync(work, { recursive: true });
  const folders = ["--process-folder", join(work, "process"), "--state-folder", join(work, "state")];
  const server = spawn(PLANLOOM, ["serve", "--format", "json", ...folders, ...words], { cwd: work, stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  try {
    const { value } = await createInterface({ input: server.stdout })[Symbol.asyncIterator]().next();
    if (value === undefined) throw new Error("planloom serve said nothing");
    return await use(JSON.parse(value));
  } finally {
    server.kill("SIGINT");
    await ended;
  }
}
