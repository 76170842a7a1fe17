// What optimises the parts of modules in one process gives the same bytes as the program that it replaces.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Optimiser } from "../../web/parts/optimiser.mjs";
import { assert, check } from "./harness.mjs";

const FEATURES = ["bulk-memory", "multivalue", "mutable-globals", "nontrapping-float-to-int", "reference-types", "sign-ext"].map((it) => `--enable-${it}`);
const REST = ["--one-caller-inline-max-function-size=0", "--reorder-functions-by-name", ...FEATURES, "--strip-debug", "--strip-producers", "--strip-target-features"];

export async function optimiser({ here, work }) {
  const folder = join(work, "optimiser");
  mkdirSync(folder);
  const program = join(here, "../../web/npm/node_modules/.bin/wasm-opt");
  const module = join(folder, "generated.wasm");
  // Code that nothing has optimised yet: the fuzzer of Binaryen makes a module of any bytes.
  const seed = Array.from({ length: 1500 }, (_, at) => createHash("sha256").update(String(at)).digest());
  writeFileSync(join(folder, "seed"), Buffer.concat(seed));
  execFileSync(program, ["--translate-to-fuzz", join(folder, "seed"), ...FEATURES, "-o", module], { stdio: "pipe" });
  for (const level of [["-O3"], ["-Oz", "--converge"]]) {
    await check(`the optimiser gives what wasm-opt ${level.join(" ")} gives`, async () => {
      const [ours, theirs] = ["ours.wasm", "theirs.wasm"].map((it) => join(folder, it));
      const optimiser = new Optimiser([...level, ...REST]);
      await optimiser.run(module, ours).finally(() => optimiser.close());
      execFileSync(program, [...level, ...REST, module, "-o", theirs], { stdio: "pipe" });
      const [before, after] = [module, ours].map((it) => readFileSync(it));
      assert(after.length < before.length * 0.8, `${before.length} bytes became ${after.length}`);
      assert(after.equals(readFileSync(theirs)), "the bytes differ");
    });
  }
  await check("the optimiser refuses what it does not know", () => {
    let said = "";
    try {
      new Optimiser(["--flatten"]);
    } catch (error) {
      said = error.message;
    }
    assert(said === "unknown option of wasm-opt: --flatten", said);
  });
}
