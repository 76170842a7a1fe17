// The entry of `planloom/worker` for browsers and bundlers: the engine in a worker of its own.
import { connect } from "./worker_client.js";

export { WorkerEngine } from "./worker_client.js";

export async function startWorker({ worker = begin(), source } = {}) {
  const listen = (answered, ended) => {
    worker.addEventListener("message", ({ data }) => answered(data));
    worker.addEventListener("error", ({ message }) => ended(message || "the worker could not be loaded"));
  };
  return connect({ worker, listen, hold() {}, source });
}

function begin() {
  // Bundlers look for exactly this expression to find the file.
  return new Worker(new URL("./worker_thread.js", import.meta.url), { type: "module" });
}
