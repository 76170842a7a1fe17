// The classes of `planloom/runtime`, over those of its WebAssembly module.
import { Runtime as LoadedRuntime, Store as LoadedStore } from "./planloom_runtime.js";

let loaded = false;

/** Has to be called after the WebAssembly file is loaded. */
export function setLoaded() {
  loaded = true;
}

function check() {
  if (!loaded) throw coded("wasm/not-ready", "planloom/runtime is not loaded: `await init()` first");
}

function coded(code, message, more) {
  return Object.assign(new Error(message), { code, ...more });
}

/** A stream of events; `Store.watch` returns it. */
class Watch {
  #inner;
  #last = Promise.resolve();

  constructor(inner) {
    this.#inner = inner;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  // Calls are sequential: each waits for the result of the call before.
  next() {
    const next = this.#last.then(() => this.#inner.next()).then((value) => ({ value, done: value === undefined }));
    this.#last = next.catch(() => {});
    return next;
  }

  async return(value) {
    this.close();
    return { value, done: true };
  }

  batch() {
    return this.#inner.batch();
  }

  close() {
    this.#inner.close();
  }
}

export class Store extends LoadedStore {
  constructor(options) {
    check();
    super(options);
  }

  watch(scope, options) {
    return new Watch(super.watch(scope, options));
  }

  async waitFor(key, predicate, options) {
    const { signal } = options ?? {};
    if (typeof predicate !== "function") throw coded("wasm/bad-argument", "`predicate` must be a function");
    if (key?.id === undefined) throw coded("wasm/bad-argument", "`key` must name one resource");
    if (signal?.aborted) throw signal.reason;
    const watch = this.watch(key, { from: "state" });
    const stop = () => watch.close();
    signal?.addEventListener("abort", stop);
    try {
      return await firstThat(watch, key, predicate, signal);
    } finally {
      signal?.removeEventListener("abort", stop);
      watch.close();
    }
  }
}

async function firstThat(watch, key, predicate, signal) {
  let seen = false;
  for await (const event of watch) {
    const found = foundBy(event);
    if (found === undefined) continue;
    if (predicate(found)) return found;
    if (seen && found === null) {
      throw coded("store/not-found", `\`${key.namespace}/${key.kind}/${key.id}\` does not exist`, { key });
    }
    seen = found !== null;
  }
  if (signal?.aborted) throw signal.reason;
  throw coded("store/cancelled", "the store is closed");
}

/** The resource after an event: `null` if it does not exist, `undefined` if the event does not contain it. */
function foundBy(event) {
  if (event.type === "absent" || event.type === "destroyed") return null;
  return event.resource;
}

export class Runtime extends LoadedRuntime {
  constructor(store, options) {
    check();
    if (!(store instanceof LoadedStore)) throw coded("wasm/bad-argument", "`store` must be a Store of planloom/runtime");
    super(store, options);
  }

  // A running runtime keeps itself alive, and after `free` there is no handle to stop it by.
  free() {
    this.stop();
    super.free();
  }
}
