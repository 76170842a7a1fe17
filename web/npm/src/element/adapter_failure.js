// What came of a run at an adapter, what went wrong, and what to do about it, in sentences.
import { count } from "./words.js";

const HELP = {
  "adapter/unreachable": (address) => `If this page has a content security policy, its connect-src has to name ${new URL(address).origin}.`,
  "adapter/not-found": () => "Write the path of the adapter into adapter-path, for example /adapters/process.",
  "state/locked": () => "Wait until the other tab is done, or close it.",
  "engine/plan-changed": () => "Press the button again to see the present plan.",
};

/** An error in one sentence. */
export function failureOf(error) {
  const text = String(error?.message ?? error);
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** What to do, as sentences; none where nothing is known. */
export function helpOf(error, address) {
  const help = error?.code === "adapter/not-found" ? null : error?.help;
  return [help && failureOf({ message: help }), HELP[error?.code]?.(address)].filter(Boolean);
}

/** What came of a run. */
export function outcomeOf({ summary }, { adapter, destroy }) {
  const { done, failed, skipped, not_started: left } = summary;
  const rest = [[failed, "failed"], [skipped, "skipped"], [left, "not started"]].filter(([number]) => number > 0);
  const parts = [`${count(done, "step")} done`, ...rest.map((it) => it.join(" "))];
  return `${destroy ? "Destroyed" : "Applied"} at ${adapter}: ${parts.join(", ")}.`;
}

/** Why steps failed, and why the run ended before its steps did. */
export function failuresOf({ steps, trouble }) {
  const failed = steps.filter((it) => it.trouble).map((it) => `${it.address}: ${failureOf(it.trouble)}`);
  return trouble ? [...failed, failureOf(trouble)] : failed;
}
