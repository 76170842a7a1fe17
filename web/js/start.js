// Starts the app; if the browser cannot run it, shows instructions.
const { js, wasm } = document.querySelector("meta[name=app]").dataset;
const url = (path) => new URL(path, document.baseURI).href;

try {
  const { default: init } = await import(url(js));
  await init({ module_or_path: url(wasm) });
  // Only what is shipped has a manifest. What it keeps for later must not delay what is needed now.
  if (document.querySelector("link[rel=manifest]")) {
    setTimeout(() => import(url("./offline.js")).then(({ keepOffline }) => keepOffline()), 5_000);
  }
} catch (error) {
  const blocked = error instanceof WebAssembly.CompileError;
  document.getElementById("boot-word")?.replaceChildren("Planloom could not start");
  document.getElementById("boot-note")?.replaceChildren(
    blocked
      ? "This site's content security policy blocks WebAssembly: it has to allow 'wasm-unsafe-eval'."
      : "Reload the page. Your files are safe in this browser.",
  );
  console.error(error);
}
