// What runs in a worker of a browser.
import * as engine from "./index.js";
import { server } from "./worker_server.js";

const answer = server(engine, (message) => postMessage(message));
addEventListener("message", ({ data }) => answer(data));
