// Sets the chosen colours before anything is drawn.
try {
  const { theme } = JSON.parse(localStorage.getItem("planloom/screen") ?? "{}");
  if (["light", "dark"].includes(theme)) document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked or holds something else: the system's colours are right.
}
