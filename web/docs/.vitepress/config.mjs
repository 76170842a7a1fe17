import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";

// Written by `generate`: which pages there are.
const { examples, commands, reference, codes } = JSON.parse(readFileSync(fileURLToPath(new URL("../pages.json", import.meta.url)), "utf8"));
const items = (folder, pages) => pages.map(({ name, title }) => ({ text: title, link: `/${folder}/${name}` }));

export default defineConfig({
  title: "Planloom",
  description: "Shows what a deployment will do before it does it.",
  lang: "en",
  cleanUrls: false,
  appearance: true,
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith("planloom-") } } },
  markdown: {
    // Braces in the text of a page are braces.
    attrs: { disable: true },
    anchor: { slugify },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Tutorial", link: "/tutorial" },
      { text: "Commands", link: `/commands/${commands[0].name}` },
      { text: "Reference", link: `/reference/${reference[0].name}` },
      { text: "Examples", link: `/examples/${examples[0].name}` },
      { text: "Embedding", link: "/embedding" },
    ],
    sidebar: [
      { text: "Start", items: [{ text: "Tutorial", link: "/tutorial" }, { text: "Rent from the Golem network", link: "/golem" }, { text: "Embedding in web pages", link: "/embedding" }, { text: "Controllers", link: "/controllers" }, { text: "Overview", link: "/project/readme" }] },
      { text: "Commands", collapsed: true, items: items("commands", commands) },
      { text: "Descriptors", collapsed: true, items: items("reference", reference) },
      { text: "Codes of problems", collapsed: true, items: items("codes", codes) },
      { text: "Behaviour, by example", collapsed: true, items: items("examples", examples) },
      {
        text: "Project",
        collapsed: true,
        items: [
          { text: "npm package", link: "/project/npm" },
          { text: "Architecture", link: "/project/architecture" },
          { text: "Contributing", link: "/project/contributing" },
          { text: "Changes", link: "/project/changelog" },
        ],
      },
    ],
  },
});

/** The anchors of GitHub, which the links between pages are written for. */
function slugify(text) {
  return text.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
}
