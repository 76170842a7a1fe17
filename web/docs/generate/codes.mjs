// The reference of codes: a page for each family, with an anchor for each code.
import { literal, outsideFences } from "./prose.mjs";

/** The pages of the documentation of codes, as `planloom.codes/1` has it. */
export function codePages({ codes }) {
  const families = [...new Set(codes.map(familyOf))];
  const page = (family) => familyPage(family, codes.filter((it) => familyOf(it) === family));
  return families.map((family) => ({ name: family, title: family, text: page(family) }));
}

function familyOf({ code }) {
  return code.split("/")[0];
}

function familyPage(family, codes) {
  const intro = `What the codes mean that begin with \`${family}/\`. The command \`planloom explain CODE\` prints the same.`;
  return [`# ${family}`, "", intro, "", ...codes.flatMap(section)].join("\n");
}

function section({ code, severities, has_fix, title, text }) {
  const facts = `\`${code}\`: ${severities.join(" or ")}${has_fix ? "; some have a fix" : ""}.`;
  return [`## ${code.split("/")[1]}`, "", facts, "", `**${literal(title)}**`, "", outsideFences(text, literal), ""];
}
