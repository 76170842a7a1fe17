module.exports = {
  title: "Embedded in Docusaurus",
  url: "http://127.0.0.1",
  baseUrl: "/",
  onBrokenLinks: "throw",
  i18n: { defaultLocale: "en", locales: ["en"] },
  clientModules: [require.resolve("./src/elements.js")],
  presets: [["classic", { docs: { routeBasePath: "/", sidebarPath: undefined }, blog: false, pages: false }]],
  themeConfig: { colorMode: { respectPrefersColorScheme: true }, navbar: { title: "Elements" } },
};
