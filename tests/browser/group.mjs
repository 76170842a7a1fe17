// One group of journeys: the variable `GROUP` names it; the arguments narrow it. Prints as `run.mjs` does.
import { running } from "./harness.mjs";
import { groups } from "./journeys.mjs";

await running(groups[process.env.GROUP]);
