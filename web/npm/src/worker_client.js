// The side of a worker that has no engine: each call is sent to the other side, and gives a promise.

/**
 * Calls of one worker. `worker` has `postMessage` and `terminate`; `listen` gets a function for answers and one for the end of the
 * worker, and `hold` whether calls are pending.
 */
class Calls {
  #worker;
  #hold;
  #last = 0;
  #pending = new Map();
  #ended;

  constructor(worker, listen, hold) {
    this.#worker = worker;
    this.#hold = hold;
    hold(false);
    listen((answer) => this.#settle(answer), (why) => this.end(why));
  }

  call(target, method, args) {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    this.#last += 1;
    const id = this.#last;
    const sent = args.map((value) => (numbers.has(value) ? { object: numbers.get(value) } : { value }));
    return new Promise((resolve, reject) => {
      try {
        this.#worker.postMessage({ id, target, method, args: sent });
      } catch (cause) {
        // Functions cannot be sent.
        reject(failure("wasm/bad-argument", `an argument of ${method} is not plain data`, cause));
        return;
      }
      this.#pending.set(id, { resolve, reject });
      this.#hold(true);
    });
  }

  #settle({ id, value, object, error }) {
    // A late answer must not let the process end before the worker has, for which somebody may wait.
    if (this.#ended !== undefined) return;
    const { resolve, reject } = this.#pending.get(id) ?? {};
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#hold(false);
    if (error !== undefined) reject?.(failure(error.code, error.message));
    else resolve?.(object === undefined ? value : remote(this, object));
  }

  /** Nothing will be answered any more. */
  end(why) {
    this.#ended ??= failure("worker/ended", why);
    for (const { reject } of this.#pending.values()) reject(this.#ended);
    this.#pending.clear();
  }

  terminate() {
    this.end("the worker was terminated");
    return this.#worker.terminate();
  }
}

/** The numbers of remote objects. */
const numbers = new WeakMap();

/** An object of the other side: each of its methods gives a promise. */
function remote(calls, number) {
  // A promise of it must not take it for a promise.
  const isMethod = (name) => typeof name === "string" && name !== "then";
  const get = (_, name) => (isMethod(name) ? (...args) => calls.call(number, name, args) : undefined);
  const object = new Proxy({}, { get });
  numbers.set(object, number);
  return object;
}

/** The engine in a worker. */
export class WorkerEngine {
  #calls;

  constructor(calls) {
    this.#calls = calls;
  }

  workspace() {
    return this.#calls.call(0, "workspace", []);
  }

  load(...capabilities) {
    return this.#calls.call(0, "load", capabilities);
  }

  solve(problem, options) {
    return this.#calls.call(0, "solve", [problem, options]);
  }

  readPackage(name, bytes) {
    return this.#calls.call(0, "readPackage", [name, bytes]);
  }

  async terminate() {
    await this.#calls.terminate();
  }
}

/** The engine in a worker, once it is loaded. */
export async function connect({ worker, listen, hold, source }) {
  const calls = new Calls(worker, listen, hold);
  try {
    await calls.call(0, "init", [source]);
  } catch (error) {
    await calls.terminate();
    throw error;
  }
  return new WorkerEngine(calls);
}

function failure(code, message, cause) {
  return Object.assign(new Error(message, cause && { cause }), code && { code });
}
