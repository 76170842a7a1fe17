// Planning and applying. There is no peer: what plans and applies resources through adapters (Terraform, OpenTofu,
// Pulumi, Crossplane) comes from none of the registries that this machine reaches, and npm and PyPI only have libraries
// that need their engines. So the figure stands beside the least it can cost: the same requests, known beforehand and sent
// one after the other by a loop that plans nothing and keeps nothing.
import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** How many times as long as the loop it may take. */
const BUDGETS = { "apply 1,000 that take 5 ms each": 0.25 };

export async function apply({ target }) {
  const measured = JSON.parse(execFileSync(join(target, "release/examples/thousand"), ["bench"], { encoding: "utf8" }));
  return measured.map((row) => result(row));
}

function result({ what, engine, loop, requests }) {
  const budget = BUDGETS[what];
  const ours = `${Math.round(engine)} ms`;
  const peer = `a bare loop, ${Math.round(loop)} ms`;
  const ratio = `${(engine / loop).toPrecision(2)}×`;
  const goal = budget && `≤ ${budget}×`;
  return { what, ours, peer, ratio, goal, met: budget && engine <= budget * loop, engine, loop, requests };
}
