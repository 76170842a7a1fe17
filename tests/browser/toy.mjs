// The journeys of `cargo xtask toy` through an app that has the format of `tests/toy`: `PLANLOOM_CASES` names the file that
// its test writes, `CHROME` and `PLANLOOM_SITE` as in `run.mjs`.
import { running } from "./harness.mjs";
import { hosts } from "./journeys/hosts.mjs";

await running(() => hosts(process.env.PLANLOOM_CASES));
