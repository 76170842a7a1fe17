// The entry of `planloom/adapters` for Node: the engine and this part of it are read when the module is.
import { readFileSync } from "node:fs";
import "./node.js";
import { loadPartNow } from "./planloom_parts.js";
import { setLoaded } from "./runs.js";

loadPartNow("adapters", readFileSync);
setLoaded("adapters");

export async function init() {}

export { apply, plan } from "./runs.js";
