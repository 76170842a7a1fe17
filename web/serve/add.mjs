// After each build that `cargo xtask serve` asked for: adds the script that reloads the page. Trunk's own is inline,
// and the content security policy that is shipped allows none; any other build is left as it is.
import { copyFile, readFile, writeFile } from "node:fs/promises";

const { PLANLOOM_SERVED_AT: address, TRUNK_STAGING_DIR: site } = process.env;

if (address) {
  const page = await readFile(`${site}/index.html`, "utf8");
  const script = '<script type="module" src="./reload.js"></script>';
  await writeFile(`${site}/index.html`, page.replace("</head>", `${script}</head>`));
  await copyFile(new URL("reload.js", import.meta.url), `${site}/reload.js`);
  console.log(`\n  Planloom is at ${address}\n`);
}
