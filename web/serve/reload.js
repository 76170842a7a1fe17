// Reloads the page after each build. Only `cargo xtask serve` adds it.
const PAUSE = 300;

/** The time of the build; `undefined` while it is being installed or the server is not running. */
const built = async () => {
  const answer = await fetch("./built.txt", { cache: "no-store" }).catch(() => undefined);
  return answer?.ok ? answer.text() : undefined;
};

let shown = await built();
setInterval(async () => {
  const now = await built();
  shown ??= now;
  if (now !== undefined && now !== shown) location.reload();
}, PAUSE);
