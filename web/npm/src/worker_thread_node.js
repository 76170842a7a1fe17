// What runs in a worker thread of Node.
import { parentPort } from "node:worker_threads";
import * as engine from "./node.js";
import { server } from "./worker_server.js";

const answer = server(engine, (message) => parentPort.postMessage(message));
parentPort.on("message", answer);
