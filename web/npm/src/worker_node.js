// The entry of `planloom/worker` for Node: the engine in a thread of its own.
import { Worker } from "node:worker_threads";
import { connect } from "./worker_client.js";

export { WorkerEngine } from "./worker_client.js";

export async function startWorker({ worker = begin() } = {}) {
  const listen = (answered, ended) => {
    worker.on("message", answered);
    worker.on("error", (error) => ended(error.message));
    worker.on("exit", (code) => ended(`the worker ended with ${code}`));
  };
  // A worker that has nothing to do does not keep the process alive.
  const hold = (isPending) => (isPending ? worker.ref() : worker.unref());
  return connect({ worker, listen, hold });
}

function begin() {
  return new Worker(new URL("./worker_thread_node.js", import.meta.url));
}
