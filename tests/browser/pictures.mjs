// Makes the README's pictures from the built app: `node tests/browser/pictures.mjs` after `cargo xtask build`.
import { fileURLToPath } from "node:url";
import { command, open, ready, show, untilPlan } from "./app.mjs";
import { journey, running } from "./harness.mjs";

await running(async () => {
  for (const theme of ["light", "dark"]) {
    await journey(`picture ${theme}`, { theme, width: 1280, height: 760 }, async (page) => {
      await ready(page);
      await command(page, "example: a release to review");
      await untilPlan(page, "Plan: 1 to destroy, 3 to rebuild, 1 to update");
      await open(page, "release.yaml");
      await show(page, "Plan");
      await page.locator(".plan-row", { hasText: "services.archive" }).first().locator(".plan-row-toggle").click();
      await page.locator(".toast button").last().click();
      await page.locator(".toast").waitFor({ state: "detached" });
      await page.mouse.move(640, 700);
      await page.waitForTimeout(600);
      await page.screenshot({ path: fileURLToPath(new URL(`../../static/picture-${theme}.png`, import.meta.url)) });
    });
  }
});
