import { icon } from "./dom";
import type { Severity } from "./contract";

/** A severity's icon: its shape differs as well as its colour. */
export function severityIcon(severity: Severity): SVGSVGElement {
  const shapes = {
    error: ["M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 0 0 0-12.5z", "M5.75 5.75l4.5 4.5M10.25 5.75l-4.5 4.5"],
    warning: ["M8 2.2L14.5 13.5h-13z", "M8 6.4v3.4M8 11.5v.4"],
    hint: ["M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 0 0 0-12.5z", "M8 7.4v3.6M8 4.9v.4"],
  };
  return icon(shapes[severity], { class: `pl-icon pl-${severity}` });
}

export const icons = {
  up: () => icon(["M4 9.5l4-4l4 4"], { class: "pl-icon" }),
  down: () => icon(["M4 6.5l4 4l4-4"], { class: "pl-icon" }),
  right: () => icon(["M6.5 4l4 4l-4 4"], { class: "pl-icon" }),
  word: () => icon(["M3 4v8M13 4v8M5.75 8h4.5"], { class: "pl-icon" }),
  close: () => icon(["M4.5 4.5l7 7M11.5 4.5l-7 7"], { class: "pl-icon" }),
};
