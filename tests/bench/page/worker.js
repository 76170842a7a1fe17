import { init, Workspace } from "./planloom/index.js";

const ready = init().then(() => new Workspace());

addEventListener("message", async ({ data }) => {
  const workspace = await ready;
  if (data.files) workspace.setFiles(data.files);
  else workspace.setFile(data.name, data.text);
  postMessage(workspace.diagnostics());
});
