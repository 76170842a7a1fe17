// Plans applied at an adapter, in Node: that of `planloom serve`.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { assert, check, equal } from "./harness.mjs";
import { served } from "./served.mjs";

export async function adapters({ work }) {
  const { apply, plan } = await import(pathToFileURL(join(work, "node_modules/planloom/dist/adapters_node.js")).href);
  const files = (name, more = "") => [{ name: "app.yaml", text: `meta: {name: ${name}}\nnetworks:\n  lan: {ip: 10.0.0.0/24}\n${more}` }];

  await served({ work: join(work, "served"), words: ["--adapter", "simulator"] }, async ({ adapters: [adapter], token }) => {
    await check("a plan is applied at an adapter, and its state is the caller's", async () => {
      const options = { files: files("kept"), adapter, token };
      const planned = await plan(options);
      equal(`${planned.kept} ${planned.recorded} ${planned.plan.summary.create} ${planned.state}`, "memory 0 1 null", "the plan");
      const steps = [];
      const applied = await apply({ ...options, digest: planned.plan.digest }, ({ address, state }) => steps.push(`${address} ${state}`));
      equal(`${applied.ok} ${steps.at(-1)}`, "true networks.lan done", "the run");
      const again = await plan({ ...options, state: applied.state });
      equal(`${again.recorded} ${again.plan.summary.unchanged}`, "1 1", "what is left to do");
      const stale = await apply({ ...options, files: files("kept", "  more: {ip: 10.1.0.0/24}\n"), state: applied.state, digest: again.plan.digest }).catch((it) => it.code);
      equal(stale, "engine/plan-changed", "the code");
    });
    await check("functions of the caller keep the state before anything is sent", async () => {
      const texts = [];
      const backend = { load: async () => texts.at(-1) ?? null, save: async (text) => void texts.push(text) };
      const options = { files: files("functions"), adapter, token, backend };
      const { ok, kept } = await apply(options);
      equal(`${ok} ${kept}`, "true backend", "the run");
      assert(texts.some((it) => JSON.parse(it).journal.length > 0), "no write was recorded before it was sent");
      const { recorded, plan: left } = await plan(options);
      equal(`${recorded} ${left.summary.unchanged}`, "1 1", "what is left to do");
      const destroyed = await apply({ ...options, destroy: true });
      equal(`${destroyed.ok} ${Object.keys(JSON.parse(texts.at(-1)).resources).length}`, "true 0", "what is recorded after a destroy");
    });
    await check("a run whose state cannot be kept sends nothing, and is said", async () => {
      const backend = { load: () => null, save: () => Promise.reject(new Error("the disk is full")) };
      const code = await apply({ files: files("full"), adapter, token, backend }).then(({ ok }) => String(ok), (it) => it.code);
      assert(code === "false" || code.startsWith("state/"), `it is ${code}`);
      equal(String((await plan({ files: files("full"), adapter, token })).plan.summary.create), "1", "what is left to create");
    });
    await check("what is in the way of an adapter has a code", async () => {
      const wrong = [{ adapter }, { adapter, token: "wrong" }, { adapter: adapter.replace("simulator", "none"), token }, { adapter: "http://127.0.0.1:9" }, { adapter: "http://adapter.example" }, { adapter, backend: {} }];
      const codes = await Promise.all(wrong.map((it) => plan({ files: files("wrong"), ...it }).then(() => "none", ({ code }) => code)));
      equal(codes.join(), "adapter/unauthorized,adapter/unauthorized,adapter/not-an-adapter,adapter/unreachable,wasm/bad-argument,wasm/bad-argument", "the codes");
    });
  });
}
