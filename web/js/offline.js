// Keeps the app for use without a network, and says when a new version of it is there. A page of `planloom serve` has its
// app beside it and needs neither.
const ready = "planloom-version-ready";
const change = "planloom-version-change";

const announce = (registration) => {
  if (registration.waiting && navigator.serviceWorker.controller) window.dispatchEvent(new Event(ready));
};

const watch = (registration) => {
  const installing = registration.installing;
  installing?.addEventListener("statechange", () => installing.state === "installed" && announce(registration));
};

/** Registers what keeps the app; nothing where the browser refuses. */
export async function keepOffline() {
  if (!("serviceWorker" in navigator) || sessionStorage.getItem("planloom.token")) return;
  const registration = await navigator.serviceWorker.register("./service-worker.js").catch(() => undefined);
  if (!registration) return;
  announce(registration);
  watch(registration);
  registration.addEventListener("updatefound", () => watch(registration));
  window.addEventListener(change, () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    registration.waiting?.postMessage("use");
  });
}
