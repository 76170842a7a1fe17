// Reloads the page when it has been built anew. Only `cargo xtask serve` adds it.
const PAUSE = 1_000;

/** When the site was built; nothing while it is being put in place, or while nobody serves it. */
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
