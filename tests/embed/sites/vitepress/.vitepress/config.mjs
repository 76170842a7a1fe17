import { defineConfig } from "vitepress";

export default defineConfig({
  title: "Embedded in VitePress",
  lang: "en",
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith("planloom-") } } },
});
