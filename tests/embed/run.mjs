// Packs the npm package and shows its elements on bare pages and on the sites of four generators, in Chromium. `CHROME` names
// the browser. Names of parts run only these: `node run.mjs elements sites`. The last line is `N passed, N failed`.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { check, finish, packageFolder, run, withBrowser } from "../npm/harness.mjs";
import { adapters } from "./adapters.mjs";
import { drawn } from "./drawn.mjs";
import { elements } from "./elements.mjs";
import { hostile } from "./hostile.mjs";
import { plans } from "./plans.mjs";
import { sites } from "./sites.mjs";
import { size } from "./size.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const work = mkdtempSync(join(tmpdir(), "planloom-embed-"));
const parts = { size, elements, plans, adapters, hostile, drawn, sites };
const wanted = process.argv.slice(2);

try {
  const home = await check("the package packs and unpacks", unpacked);
  if (home) {
    await withBrowser(async (browser) => {
      for (const [name, part] of Object.entries(parts)) {
        if (wanted.length === 0 || wanted.includes(name)) await part({ here, work, home, browser });
      }
    });
  }
} finally {
  rmSync(work, { recursive: true, force: true });
  finish();
}

/** The folder of the package as users get it. */
async function unpacked() {
  const args = ["pack", "--json", "--pack-destination", work];
  const [{ filename }] = JSON.parse(await run("npm", args, { cwd: packageFolder }));
  const home = join(work, "node_modules/planloom");
  mkdirSync(home, { recursive: true });
  await run("tar", ["-xzf", join(work, filename), "-C", home, "--strip-components=1"]);
  return home;
}
