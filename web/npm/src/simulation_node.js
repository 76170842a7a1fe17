// The entry of `planloom/simulation` for Node: the engine and this part of it are read when the module is.
import { readFileSync } from "node:fs";
import "./node.js";
import { loadPartNow } from "./planloom_parts.js";
import { setLoaded } from "./runs.js";

loadPartNow("simulation", readFileSync);
setLoaded("simulation");

export async function init() {}

export { simulate } from "./runs.js";
