// Several workspaces by name, and the app without a network.
import { append, command, files, ready, stored, untilSaved } from "../app.mjs";
import { accessible, assert, equal, journey, shippedJourney, shot, site, until, untilEqual } from "../harness.mjs";

const dialog = (page) => page.getByRole("dialog", { name: "Workspaces" });

async function openDialog(page) {
  await command(page, "Workspaces");
  await dialog(page).waitFor();
}

export async function workspaces() {
  await journey("workspaces: a copy by name is another one, and each comes back", async (page) => {
    await ready(page);
    await append(page, "\n# of the first");
    await untilSaved(page);
    await openDialog(page);
    await dialog(page).getByLabel("New workspace").fill("Second");
    await accessible(page, "the workspaces");
    await shot(page, "workspaces");
    await Promise.all([page.waitForEvent("load"), dialog(page).getByRole("button", { name: "Copy this one" }).click()]);
    await ready(page);
    await untilEqual(() => files(page), ["base.yaml", "prod.yaml"], "the copy has the same files");
    await append(page, "\n# of the second");
    await untilSaved(page);
    await openDialog(page);
    await untilEqual(() => dialog(page).locator(".workspaces-name").evaluateAll((all) => all.map((it) => it.value)), ["Workspace", "Second"], "names");
    await Promise.all([page.waitForEvent("load"), dialog(page).getByRole("button", { name: "Open Workspace" }).click()]);
    await ready(page);
    const text = await stored(page, "base.yaml");
    assert(text.includes("# of the first") && !text.includes("# of the second"), text);
    await openDialog(page);
    await dialog(page).getByRole("button", { name: "Delete Second" }).click();
    await dialog(page).getByText("Delete it with all its files?").waitFor();
    await dialog(page).getByRole("button", { name: "Delete", exact: true }).click();
    await until(() => dialog(page).locator(".workspaces-item").count(), (count) => count === 1, "it is deleted");
  });

  await journey("workspaces: two tabs have two of them open", async (page, { context, address }) => {
    await ready(page);
    await openDialog(page);
    await dialog(page).getByLabel("New workspace").fill("Empty");
    await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
    await page.getByText("Drop YAML files, a folder or a zip").waitFor();
    const other = await context.newPage();
    await other.goto(address);
    await other.getByText("Drop YAML files, a folder or a zip").waitFor();
    await openDialog(other);
    await Promise.all([other.waitForEvent("load"), dialog(other).getByRole("button", { name: "Open Workspace" }).click()]);
    await ready(other);
    await append(other, "\n# in the other tab");
    await untilSaved(other);
    await untilEqual(() => page.getByText("Drop YAML files, a folder or a zip").count(), 1, "this tab keeps its own");
    await page.reload();
    await page.getByText("Drop YAML files, a folder or a zip").waitFor();
  });

  await shippedJourney("offline: the app opens without a network, and says when there is a new version", { serviceWorkers: "allow" }, async (page, { context }) => {
    await ready(page);
    const active = () => page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration())?.active));
    await until(active, Boolean, "all of it is kept");
    const names = await page.evaluate(() => caches.keys());
    assert(names.length === 1 && names[0].startsWith("planloom-"), names.join());
    await page.reload();
    await ready(page);
    await context.setOffline(true);
    await page.reload();
    await ready(page);
    await command(page, "Show Links");
    await page.locator(".panel .pane-waiting").waitFor({ state: "detached" });
    await context.setOffline(false);
    await page.evaluate(() => window.dispatchEvent(new Event("planloom-version-ready")));
    await page.getByText("There is a new version of Planloom.").waitFor();
  });

  await shippedJourney("offline: the app can be installed", async (page) => {
    await ready(page);
    const manifest = await page.evaluate(async () => (await fetch(document.querySelector("link[rel=manifest]").href)).json());
    equal([manifest.name, manifest.display, manifest.start_url], ["Planloom", "standalone", "./"], "the manifest");
    const icon = await page.evaluate(async (src) => (await fetch(src)).ok, manifest.icons[0].src);
    assert(icon, `the icon ${manifest.icons[0].src} of ${site} is there`);
  });
}
