// The links of a large manifest that strangers wrote: cf-deployment, 17 groups, 150 consumers, with the specs of its jobs.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Workspace } from "../../web/npm/dist/node.js";
import { measure } from "./measure.mjs";

/** What it may take in WebAssembly, in milliseconds. */
const BUDGET = 50;

export async function links({ root }) {
  const folder = join(process.env.PLANLOOM_SHARED ?? join(root, "../shared"), "data/bosh");
  const manifest = join(folder, "manifests/cf-deployment.yml");
  if (!existsSync(manifest)) {
    console.log(`skipped: there is no ${manifest}`);
    return [];
  }
  const text = readFileSync(manifest, "utf8");
  const specs = join(folder, "specs");
  const releases = readdirSync(specs).sort().map((name) => ({ name, text: readFileSync(join(specs, name), "utf8") }));
  const whole = measure(() => resolve(text, releases));
  const workspace = new Workspace();
  workspace.setReleases(releases);
  let edits = 0;
  const again = measure(() => {
    workspace.setFiles([{ name: "cf.yml", text: `${text}# ${edits++}\n` }]);
    return workspace.links();
  });
  const counted = count(resolve(text, releases));
  return [
    row(`links of cf-deployment, from the texts (${counted})`, whole),
    row("… again after an edit of the manifest", again),
  ];
}

function resolve(text, releases) {
  const workspace = new Workspace();
  workspace.setReleases(releases);
  workspace.setFiles([{ name: "cf.yml", text }]);
  const links = workspace.links();
  workspace.free();
  return links;
}

function count({ links }) {
  const outcomes = {};
  for (const { outcome } of links) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  const parts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome.replace("_", " ")}`);
  return parts.join(", ");
}

function row(what, ms) {
  return { what, ours: `${ms.toFixed(1)} ms`, goal: `≤ ${BUDGET} ms`, met: ms <= BUDGET, ms };
}
