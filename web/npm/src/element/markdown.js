// The plan as Markdown. No text of a file becomes Markdown or HTML.
import { BY_RISK, sentenceOf, symbolOf, wordOf } from "./words.js";

export function planMarkdown(plan) {
  const rows = BY_RISK.flatMap((action) => plan.actions.filter((it) => it.action === action));
  const lines = [escaped(sentenceOf(plan)), ""];
  if (rows.length > 0) lines.push("| Action | Resource | Reason |", "|---|---|---|");
  for (const { action, address, reason } of rows) {
    lines.push(`| ${symbolOf(action)} ${wordOf(action)} | ${code(address)} | ${escaped(reason?.sentence ?? "")} |`);
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

function code(text) {
  const line = oneLine(text);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((it) => it.length));
  const fence = "`".repeat(longest + 1);
  const blank = /^`|`$|^$/.test(line) ? " " : "";
  return `${fence}${blank}${line.replaceAll("|", "\\|")}${blank}${fence}`;
}

function escaped(text) {
  const line = oneLine(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return line.replace(/[\\`*_{}[\]()#+!|~@-]/g, "\\$&");
}

function oneLine(text) {
  return text.replace(/\p{Cc}/gu, " ");
}
