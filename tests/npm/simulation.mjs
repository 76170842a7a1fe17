// Plans applied by the simulator of the package, in Node.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { check, equal, run } from "./harness.mjs";

export async function simulations({ here, work }) {
  const { simulate } = await import(pathToFileURL(join(work, "node_modules/planloom/dist/simulation_node.js")).href);
  const { Workspace } = await import(pathToFileURL(join(work, "node_modules/planloom/dist/node.js")).href);
  const read = (name) => readFileSync(join(here, "../../static/examples/release", name), "utf8");
  const files = ["base.yaml", "release.yaml"].map((name) => ({ name, text: read(name) }));

  await check("a plan is simulated, and its state leaves nothing to do", async () => {
    const before = files[0].text;
    const first = await simulate({ files: [{ name: "base.yaml", text: before }] });
    equal(`${first.ok} ${first.summary.done} ${first.summary.failed}`, `${true} ${first.steps.length} 0`, "the steps");
    equal(summaryOf(new Workspace(), [{ name: "base.yaml", text: before }], first.state), "0 0 0 0", "what is left to do");
  });
  await check("a recorded state is gone on from, and rebuilt in order", async () => {
    const seen = [];
    const { ok, state } = await simulate({ files, state: read("state.json") }, (step) => step.state === "done" && seen.push(`${step.verb} ${step.address}`));
    equal(String(ok), "true", "whether all went well");
    const at = (what) => seen.indexOf(what);
    const inOrder = [at("destroy services.collector"), at("destroy services.archive"), at("create services.archive"), at("create services.collector")];
    equal(inOrder.join(), [...inOrder].sort((a, b) => a - b).join(), `the order of ${seen.join(", ")}`);
    equal(summaryOf(new Workspace(), files, state), "0 0 0 0", "what is left to do");
    const destroyed = await simulate({ files, state, destroy: true });
    equal(JSON.stringify(JSON.parse(destroyed.state).resources), "{}", "what is recorded after a destroy");
  });
  await check("what cannot be simulated is refused with a code", async () => {
    const wrong = [{}, { files: [{ name: "a.yaml" }] }, { files, state: "{" }, { files, latency: 1 }, { files: [{ name: "a.yaml", text: "services: {web: {payload: no}}" }] }];
    const codes = await Promise.all(wrong.map((it) => simulate(it).then(() => "none", ({ code }) => code.split("/")[0])));
    equal(codes.join(), "wasm,wasm,wasm,wasm,engine", "the codes");
  });
  await check("CommonJS simulates", async () => {
    const code = 'require("planloom/simulation").simulate({ files: [{ name: "a.yaml", text: "networks: {lan: {ip: 10.0.0.0/24}}" }] }).then(({ ok, steps }) => console.log(ok, steps.length))';
    equal(await run(process.execPath, ["--input-type=commonjs", "-e", code], { cwd: work }), "true 1\n", "the result");
  });
}

function summaryOf(workspace, files, state) {
  workspace.setFiles(files);
  const { create, update, rebuild, destroy } = workspace.plan({ state }).summary;
  return [create, update, rebuild, destroy].join(" ");
}
