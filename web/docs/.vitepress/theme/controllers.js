// The chain of controllers of the page `controllers`: numbers get roots, roots get sentences, and all numbers get one
// sentence about their sums.
import { Runtime, Store, init } from "planloom/runtime";

const kind = (name) => ({ namespace: "example", kind: name });
const [numbers, roots, sentences] = ["Numbers", "Roots", "Sentences"].map(kind);
const leaves = (resource) => resource.metadata.phase === "tearing_down";
/** How long a sentence takes, in milliseconds: long enough to be seen. */
const SLOW = 800;

/** A queue controller: it runs for each number that changes, and holds the number until its root is gone. */
const root = {
  id: "root",
  style: "queue",
  inputs: [{ ...numbers, primary: true, strength: "strong" }, { ...roots, strength: "destroy_ready" }],
  outputs: [roots],
  reconcile(cx, key) {
    const number = cx.get(key);
    if (!number || leaves(number)) {
      if (cx.remove({ ...roots, id: key.id }) && number) cx.release(key);
      return;
    }
    cx.hold(key);
    if (number.spec < 0) {
      cx.remove({ ...roots, id: key.id });
      throw Object.assign(new Error(`${number.spec} has no square root`), { code: "example/no-root" });
    }
    cx.put({ ...roots, id: key.id, spec: { of: number.spec, root: Math.sqrt(number.spec) } });
  },
};

/** The same, but it takes its time, also to take a sentence back. A change that comes meanwhile wakes it again. */
const tell = {
  id: "tell",
  style: "queue",
  concurrency: 4,
  inputs: [{ ...roots, primary: true, strength: "strong" }, { ...sentences, strength: "destroy_ready" }],
  outputs: [{ ...sentences, sharing: "shared" }],
  async reconcile(cx, key) {
    const found = cx.get(key);
    if (!found || leaves(found)) {
      if (found && cx.get({ ...sentences, id: key.id })) await cx.sleep(SLOW);
      if (cx.remove({ ...sentences, id: key.id }) && found) cx.release(key);
      return;
    }
    const spec = `The square root of ${found.spec.of} is ${Number(found.spec.root.toFixed(3))}.`;
    if (cx.get({ ...sentences, id: key.id })?.spec === spec) return { skip: "it is up to date" };
    cx.hold(key);
    await cx.sleep(SLOW);
    cx.put({ ...sentences, id: key.id, spec });
  },
};

/** One run for all inputs: what it does not write again is removed. */
const total = {
  id: "total",
  inputs: [{ ...numbers, strength: "weak" }, { ...sentences, strength: "destroy_ready" }],
  outputs: [{ ...sentences, sharing: "shared" }],
  reconcile(cx) {
    const staying = cx.list(numbers).resources.filter((number) => !leaves(number)).map((number) => number.spec);
    for (const [name, rest] of [["even", 0], ["odd", 1]]) {
      const these = staying.filter((number) => Math.abs(number % 2) === rest);
      const sum = these.reduce((sum, number) => sum + number, 0);
      if (these.length > 0) cx.put({ ...sentences, id: `all-${name}`, spec: `${these.length} ${name}: the sum is ${sum}.` });
    }
    cx.pruneUntouched(sentences);
  },
};

/** Starts the chain; `changed` is called after each change with what there is then. */
export async function start(changed) {
  await init();
  const store = new Store();
  const runtime = new Runtime(store, { log: false });
  for (const controller of [root, tell, total]) runtime.register(controller);
  const running = runtime.run();
  const look = () =>
    changed({
      kinds: [numbers, roots, sentences].map((it) => ({ name: it.kind, resources: store.list(it).resources })),
      controllers: runtime.inspect().controllers,
    });
  const timer = setInterval(look, 100);
  return {
    put: (id, spec) => store.upsert({ ...numbers, id, spec }, (found) => void (found.spec = spec)),
    remove: (id) => store.teardownAndDestroy({ ...numbers, id }).catch(() => {}),
    async stop() {
      clearInterval(timer);
      runtime.stop();
      await running;
    },
  };
}
