// The Services view: kinds of resources, what depends on what, names, deletions and changes.
import { command, example, keepFiles, ready, show } from "../app.mjs";
import { accessible, assert, equal, journey, shot, until, untilEqual } from "../harness.mjs";

const OLD = example("services", "library-v1.yaml");
const NEW = example("services", "library-v2.yaml");

/** The page finds these files kept from before. */
const kept = (files) => ({ before: (_, context) => keepFiles(context, files) });

const library = () => kept([["library-v1.yaml", OLD], ["library-v2.yaml", NEW]]);

const opened = async (page) => {
  await page.waitForSelector(".cm-content");
  await show(page, "Services");
  await page.locator(".services-kind").first().waitFor();
};

const kinds = (page) => page.locator(".services-kind");
const kind = (page, name) => kinds(page).filter({ has: page.locator(".services-kind-name", { hasText: new RegExp(`^${name}`) }) });
const mode = (page, name) => page.getByRole("group", { name: "Show" }).getByRole("button", { name }).click();
const part = (page, name) => page.getByRole("region", { name, exact: true });
/** Rows as one reads them, without their places: what depends, on what, and what happens. */
const rows = (part) =>
  part.locator(".services-row").evaluateAll((rows) => {
    const said = (it) => (it.matches(".services-step") ? [...it.children].map(said).join(" ") : it.innerText.replace(/\s+/g, " ").trim());
    return rows.map((row) => [...row.children].filter((it) => !it.matches(".place")).map(said).join(" "));
  });
const inEditor = (page, name) => page.locator(".editor-head .layer-name", { hasText: name }).waitFor();
const atLine = (page, text) => page.locator(".cm-activeLine", { hasText: text }).first().waitFor();
const tried = (page) => page.getByRole("textbox", { name: "Try a name or a path" });
const examples = (page) => page.getByRole("textbox", { name: "Example resources as YAML" });
const choice = (page, name) => page.locator(".services-choice").filter({ has: page.locator(".services-kind-name", { hasText: new RegExp(`^${name}$`) }) });

export async function services() {
  await journey("kinds are below their parents, each with its names", library(), async (page) => {
    await opened(page);
    const tree = await kinds(page).evaluateAll((all) =>
      all.map((it) => {
        let depth = -1;
        for (let at = it; at; at = at.parentElement?.closest(".services-branches")) depth += 1;
        const patterns = [...it.querySelectorAll(".services-pattern")].map((it) => it.textContent);
        return `${depth} ${it.querySelector(".services-kind-name").firstChild.textContent} ${patterns.join(" ")}`;
      }),
    );
    equal(
      tree,
      [
        "1 Project projects/{project}",
        "2 Publisher projects/{project}/publishers/{publisher}",
        "3 Author projects/{project}/publishers/{publisher}/authors/{author}",
        "3 Series projects/{project}/publishers/{publisher}/seriesList/{series}",
        "3 Book projects/{project}/publishers/{publisher}/books/{book}",
        "4 Review projects/{project}/publishers/{publisher}/books/{book}/reviews/{review}",
        "2 Author projects/{project}/authors/{author}",
        "2 Reader projects/{project}/readers/{reader}",
        "3 Loan projects/{project}/readers/{reader}/loans/{loan}",
      ],
      "the tree",
    );
    const tab = page.getByRole("tab", { name: /^Services/ });
    await until(() => tab.locator(".count").textContent(), (count) => count === "8", "kinds in the tab");
    await page.locator(".services-head .place").click();
    await inEditor(page, "library-v2.yaml");
    await atLine(page, "name: library.example.com");
  });

  await journey("who refers to a kind and what happens then, with its methods and their places", library(), async (page) => {
    await opened(page);
    const stuck = part(page, "Deletions that can get stuck");
    await untilEqual(async () => (await rows(stuck)).slice(-2), [
      "Book in Publisher ASYNC_CASCADE_DELETE it is deleted afterwards",
      "Loan .book → Book BLOCK the deletion is refused",
    ], "the way to what is stuck");
    await stuck.locator(".services-row", { hasText: "BLOCK" }).locator(".place").first().click();
    await inEditor(page, "library-v2.yaml");
    await atLine(page, "path: book");
    await kind(page, "Book").click();
    const about = page.getByRole("article", { name: "Book" });
    await about.waitFor();
    const others = part(page, "Others that depend on it");
    await untilEqual(async () => (await rows(others)).map((row) => row.split(" ").slice(0, 5).join(" ")), [
      "Loan .book → Book BLOCK",
      "Review in Book ASYNC_CASCADE_DELETE it",
    ], "what depends on it");
    const method = about.locator(".services-methods tbody tr").first();
    await untilEqual(() => method.locator(".services-name").textContent(), "LendBook", "methods of the specification come first");
    await untilEqual(() => method.locator(".services-http").textContent(), "POST", "how it is called");
    await untilEqual(() => method.locator(".services-pattern").textContent(), "/v2/{name=projects/*/publishers/*/books/*}:lend", "its route");
    await untilEqual(() => method.locator(".services-permission").textContent(), "books.lend", "its permission");
    await untilEqual(() => about.locator(".services-methods tbody tr").count(), 10, "its methods");
    await method.locator(".place").click();
    await atLine(page, "name: LendBook");
    await others.getByRole("button", { name: "Loan" }).click();
    await page.getByRole("article", { name: "Loan" }).waitFor();
    await page.getByRole("button", { name: "All kinds" }).click();
    await part(page, "References").waitFor();
  });

  await journey("a name or a path is read, and it is said where it goes wrong", library(), async (page) => {
    await opened(page);
    const answer = page.locator(".services-answer");
    await tried(page).fill("projects/city/publishers/acme/books/dune");
    await answer.getByRole("button", { name: "Book" }).waitFor();
    await untilEqual(() => answer.locator(".services-pattern").textContent(), "projects/{project}/publishers/{publisher}/books/{book}", "the pattern");
    await untilEqual(() => answer.locator("dd").allTextContents(), ["city", "acme", "dune"], "the ids");
    await tried(page).fill("projects/city/publishers/acme/boks/dune");
    await answer.locator("mark").waitFor();
    await untilEqual(() => answer.locator("mark").textContent(), "boks/dune", "the place");
    await tried(page).fill("DELETE /v2/projects/city/readers/ann");
    await answer.getByText("ReaderService/DeleteReader").waitFor();
    await answer.locator(".place").click();
    await atLine(page, "name: Reader");
    await tried(page).fill("/v2/projects/city:sell");
    await until(() => answer.locator("mark").textContent(), (mark) => mark === "sell", "the verb is marked");
    await tried(page).press("Escape");
    await until(() => answer.textContent(), (text) => text === "", "nothing is said of nothing");
  });

  await journey("a deletion is tried with examples, and nothing is lost on the way", library(), async (page) => {
    await opened(page);
    await mode(page, "Deletion");
    await choice(page, "Series").waitFor();
    await untilEqual(() => page.locator(".services-choice").count(), 8, "an example of each kind");
    await choice(page, "Series").click();
    await page.getByText(/^Deleting .*series-1 clears 1 reference\.$/).waitFor();
    await untilEqual(async () => (await rows(part(page, "At once, in one transaction"))).map((row) => row.replaceAll(/\S*\//g, "")), [
      "− series-1 is removed",
      "~ book-1 loses its reference UNSET series of series-1",
    ], "the steps");
    await choice(page, "Author").first().click();
    await page.getByText(/is refused: 1 reference must go first\.$/).waitFor();
    await untilEqual(async () => (await rows(part(page, "Blocked by"))).length, 1, "what blocks it");
    await choice(page, "Publisher").first().click();
    await part(page, "Afterwards, wave 1").waitFor();
    await part(page, "Stuck, until somebody changes these").waitFor();

    const text = "- {name: projects/city}\n- {name: projects/city/readers/ann}\n- {name: projects/city/readers/bob, nick: 1}\n- {name: projects/city/redders/eve}\n";
    await examples(page).fill(text);
    await until(() => page.locator(".services-choice").count(), (count) => count >= 2 && count <= 3, "what is valid");
    const problem = page.locator(".services-problem", { hasText: "redders" });
    await problem.getByRole("button", { name: "line 4" }).click();
    const selected = await examples(page).evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd));
    assert(selected.includes("redders"), `selected is ${selected}`);
    await choice(page, "Project").click();
    await page.getByText(/^Deleting projects\/city deletes \d resources? too\.$/).waitFor();
    await show(page, "Plan");
    await show(page, "Services");
    await mode(page, "Deletion");
    await untilEqual(() => examples(page).inputValue(), text, "the examples are as they were");
    await page.getByRole("button", { name: "Reset" }).click();
    await choice(page, "Series").waitFor();
  });

  const fixtures = "kind: library.example.com/Project\nversion: v2\nresources:\n- {name: projects/city}\n- {name: projects/land}\n";
  await journey("fixtures of the workspace are examples too", kept([["library.yaml", NEW], ["projects.yaml", fixtures]]), async (page) => {
    await opened(page);
    await mode(page, "Deletion");
    await page.getByRole("group", { name: "Resources" }).getByRole("button", { name: "Fixtures" }).click();
    await page.locator(".services-choice", { hasText: "projects/land" }).click();
    await page.getByText("Deleting projects/land changes nothing else.").waitFor();
    await part(page, "At once, in one transaction").locator(".place").click();
    await inEditor(page, "projects.yaml");
    await atLine(page, "projects/land");
  });

  await journey("what changed since an older version is told by class, line by line", library(), async (page) => {
    await opened(page);
    await mode(page, "Changes");
    await page.getByText(/changes? breaks? clients of v1\.$/).waitFor();
    const breaking = page.locator(".services-class", { hasText: "Breaking" }).first();
    await breaking.locator(".services-change").first().waitFor();
    const series = page.locator(".services-class", { hasText: "Compatible" }).locator(".services-change").filter({ has: page.getByText("Series", { exact: true }) });
    await series.getByText("resource added").waitFor();
    await series.locator(".place").click();
    await inEditor(page, "library-v2.yaml");
    await atLine(page, "Series");
    await page.getByRole("button", { name: "Swap" }).click();
    await page.getByText(/changes? breaks? clients of v2\.$/).waitFor();
    await page.locator(".services-class", { hasText: "Breaking" }).first().getByText("Series", { exact: true }).first().waitFor();
  });

  await journey("kinds are chosen and left by keys", library(), async (page) => {
    await opened(page);
    await kinds(page).first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "Publisher" }).waitFor();
    await untilEqual(() => kinds(page).nth(1).getAttribute("aria-pressed"), "true", "the second is picked");
    await page.keyboard.press("Escape");
    await page.getByRole("article").waitFor({ state: "detached" });
    await mode(page, "Deletion");
    await page.locator(".services-choice").first().focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.locator(".services-sentence").waitFor();
  });

  await journey("a broken specification keeps the last services on screen", kept([["library.yaml", NEW]]), async (page) => {
    await opened(page);
    await mode(page, "Changes");
    await page.getByText("Only one version").waitFor();
    await mode(page, "Resources");
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("- {name: [\n");
    await page.locator(".services .pane-stale").waitFor();
    await untilEqual(() => kinds(page).count(), 9, "kinds");
    await page.keyboard.press("Control+z");
    await page.locator(".services .pane-stale").waitFor({ state: "detached" });
  });

  await journey("without services one is told what fills the view, and can open an example", async (page) => {
    await ready(page);
    await command(page, "show services");
    await page.getByText("No services yet").waitFor();
    await page.getByRole("button", { name: "Open an example" }).click();
    await kinds(page).first().waitFor();
    await inEditor(page, "library-v2.yaml");
    await page.keyboard.press("Alt+Digit1");
    await page.keyboard.press("Alt+Digit9");
    await kinds(page).first().waitFor();
  });

  for (const theme of ["light", "dark"]) {
    for (const [name, width, height] of [["columns", 2000, 1000], ["wide", 1440, 900], ["narrow", 390, 844]]) {
      await journey(`services are legible and accessible, ${name} ${theme}`, { ...library(), width, height, theme }, async (page) => {
        const look = async (what) => {
          await accessible(page, what);
          await shot(page, `services-${name}-${theme}-${what}`);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert(wide <= 0, `${what} is ${wide} pixels wider than the screen`);
        };
        if (name === "narrow") await page.getByRole("navigation", { name: "Screens" }).getByRole("button", { name: "View" }).click();
        await show(page, "Services");
        await kinds(page).first().waitFor();
        await tried(page).fill("projects/city/publishers/acme/boks/dune");
        await page.locator(".services-answer mark").waitFor();
        await look("resources");
        await kind(page, "Book").click();
        await page.getByRole("article", { name: "Book" }).waitFor();
        await look("kind");
        await mode(page, "Deletion");
        await choice(page, "Publisher").first().click();
        await page.locator(".services-stuck").waitFor();
        await look("deletion");
        await choice(page, "Author").first().click();
        await page.locator(".services-blocked").waitFor();
        await look("blocked");
        await mode(page, "Changes");
        await page.locator(".services-class").first().waitFor();
        await look("changes");
      });
    }
  }
}
