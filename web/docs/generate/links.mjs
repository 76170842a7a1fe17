// Where a link of a file of the repository leads in the documentation.
import { posix } from "node:path";

const PAGES = new Map([
  ["README.md", "/project/readme"],
  ["CONTRIBUTING.md", "/project/contributing"],
  ["CHANGELOG.md", "/project/changelog"],
  ["crates/README.md", "/project/architecture"],
  ["web/npm/README.md", "/project/npm"],
  ["web/docs/golem.md", "/golem"],
  ["crates/types/builtin", "/reference/service"],
  ["tests/suite", "/examples/merge"],
]);

/** The address of a page for a link in a file; null if there is no such page. */
export function addressFrom(file, link) {
  if (/^[a-z]+:/i.test(link) || link.startsWith("#")) return link;
  const [path, fragment] = link.split("#");
  const target = posix.join(posix.dirname(file), path).replace(/\/$/, "");
  const suite = /^tests\/suite\/([\w-]+)\.md$/.exec(target);
  const page = suite ? `/examples/${suite[1]}` : PAGES.get(target);
  return page === undefined ? null : `${page}${fragment ? `#${fragment}` : ""}`;
}
