// A Podman of the journeys' own, with the images of the example.
import { execFile, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./harness.mjs";
import { line } from "./home.mjs";

const run = promisify(execFile);
const script = (name) => join(root, "tests/containers", name);

/**
 * Runs a Podman for as long as `body` runs, which gets what names its socket, and what asks Podman by words. What `body`
 * leaves is taken away, some seconds after it. Says why where no Podman can run; nothing if it did.
 */
export async function withPodman(body) {
  const folder = join(tmpdir(), `planloom-podman-${process.pid}`);
  // It takes everything away when its input ends, so also when this program dies. A group of its own: Ctrl-C is for us.
  const guardian = spawn("/bin/sh", [script("podman.sh"), folder], { stdio: ["pipe", "pipe", "inherit"], detached: true });
  guardian.on("error", () => {});
  try {
    const said = await line(guardian.stdout);
    if (said !== "ready") return said ?? "what sets up a Podman said nothing";
    const why = await run("/bin/sh", [script("images.sh"), folder]).then(() => undefined, ({ stderr }) => stderr.trim().split("\n").at(-1));
    if (why !== undefined) return why;
    const env = { CONTAINERS_CONF: join(folder, "containers.conf"), CONTAINERS_STORAGE_CONF: join(folder, "storage.conf") };
    const podman = async (...words) => (await run("podman", words, { env: { ...process.env, ...env } })).stdout.trim();
    await body({ CONTAINER_HOST: `unix://${join(folder, "podman.sock")}` }, podman);
  } finally {
    guardian.stdin.end();
    guardian.stdout.destroy();
    // It goes on by itself.
    guardian.unref();
  }
}
