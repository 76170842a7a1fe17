// A format that only tests have: `tests/toy/hosts.md` in the app, as its examples and their answers stand in a file.
import { readFileSync } from "node:fs";
import { files, ready, show, untilErrors, untilPlan, untilProblems } from "../app.mjs";
import { journey, until, untilEqual } from "../harness.mjs";

export async function hosts(cases) {
  const examples = JSON.parse(readFileSync(cases, "utf8"));
  const example = (id) => examples.find((it) => it.id === id);

  await journey("two lists of hosts are merged in their order", async (page) => {
    const { files: given, outputs } = example("H1");
    await opened(page, given);
    await untilProblems(page, "No problems");
    await untilEqual(() => page.locator(".rail-number").allTextContents(), ["1", "2"], "numbers in the merge order");
    await show(page, "Merged");
    for (const { address } of Object.values(JSON.parse(outputs.merged).document.hosts)) {
      await page.locator(".merged-line", { hasText: `address: ${address}` }).waitFor();
    }
    await untilPlan(page, "Plan: 2 to create");
    await page.locator(".merged-line", { hasText: "10.0.1.3" }).locator(".merged-layer[title='site.yaml']").waitFor();
  });

  await journey("an invalid address is reported at its location", async (page) => {
    const { files: given, outputs } = example("H2");
    await opened(page, given);
    await untilErrors(page);
    const [{ message, file, line }] = JSON.parse(outputs.check).diagnostics;
    const problem = page.locator(".problem", { hasText: message.replaceAll("`", "") });
    await problem.waitFor();
    await until(() => problem.textContent(), (said) => said.includes(`${file}:${line}`), "its place");
  });
}

/** The app with these files in place of the example that it opens on. */
async function opened(page, given) {
  await ready(page);
  const picked = given.map(({ name, text }) => ({ name, mimeType: "application/yaml", buffer: Buffer.from(text) }));
  await page.locator("#pick-files").setInputFiles(picked);
  const names = given.map(({ name }) => name).join();
  await until(() => files(page), (now) => now.join() === names, "the files");
}
