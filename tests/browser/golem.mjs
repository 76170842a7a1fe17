// A Golem network of this machine: real daemons, simulated providers.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./harness.mjs";
import { GUARD, line } from "./home.mjs";

const PROGRAM = process.env.PLANLOOM_GOLEM_NETWORK ?? join(root, "target/debug/golem-network");

/**
 * Runs a network for as long as `body` runs, which gets the variables that name its requestor's daemon. Says why where no
 * network can run; nothing if it did.
 */
export async function withGolemNetwork(body) {
  if (!existsSync(PROGRAM)) return `${PROGRAM} not there`;
  // It ends when its input does, so also when this program dies.
  const words = ["-c", GUARD, "sh", PROGRAM, "--json", "--hour", "0.5"];
  const network = spawn("/bin/sh", words, { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const said = await line(network.stdout);
    if (said === undefined) return "the daemons of a Golem network do not start";
    const { api_url, app_key, registry_url } = JSON.parse(said);
    await body({ YAGNA_API_URL: api_url, YAGNA_APPKEY: app_key, GOLEM_REGISTRY_URL: registry_url });
  } finally {
    network.stdin.end();
    network.stdout.destroy();
    // It goes on by itself.
    network.unref();
  }
}
