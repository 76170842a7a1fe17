// Runs every check in a fresh page of headless Chromium; a check that leaves an error in the console fails.
import { checks as documents } from "./documents.mjs";
import { checks as cards } from "./cards.mjs";
import { checks as writing } from "./writing.mjs";
import { newPage, open } from "./harness.mjs";

const only = process.argv[2];
const session = await open();
if (!session) {
  console.log("skipped: no Chromium; set CHROME to its path");
  process.exit(0);
}
let passed = 0;
let failed = 0;
for (const [name, { options, run }] of Object.entries({ ...documents, ...cards, ...writing })) {
  if (only && !name.includes(only)) continue;
  const { page, errors, close } = await newPage(session, options);
  try {
    await run(page);
    const violations = await page.evaluate(() => events.violations);
    if (errors.length + violations.length > 0) throw new Error([...errors, ...violations].join("\n"));
    passed++;
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}\n  ${String(error.stack ?? error).split("\n").slice(0, 6).join("\n  ")}`);
  }
  await close();
}
await session.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
