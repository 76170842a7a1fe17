/** Creates elements from plain data. Text is never parsed as HTML. */

type Child = Node | string | null | false | undefined;

interface Props {
  class?: string;
  on?: Record<string, (event: Event) => void>;
  /** Attributes; null and false leave one out. */
  [attribute: string]: unknown;
}

/** An HTML element. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  fill(node, props);
  for (const child of children) if (child) node.append(child);
  return node;
}

/** Text in which `backticks` enclose code. */
export function prose(text: string): (Node | string)[] {
  return text.split(/(`[^`]+`)/).map((part, n) => (n % 2 === 1 ? el("code", {}, part.slice(1, -1)) : part));
}

/** A 16 px line icon from path data. */
export function icon(paths: string[], props: Props = {}): SVGSVGElement {
  const node = svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true", ...props });
  for (const d of paths) node.append(svg("path", { d }));
  return node as SVGSVGElement;
}

function svg(tag: string, props: Props): SVGElement {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(node, props);
  return node;
}

function fill(node: Element, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (value == null || value === false) continue;
    if (name === "on") {
      for (const [event, run] of Object.entries(props.on ?? {})) node.addEventListener(event, run);
    } else {
      node.setAttribute(name, String(value));
    }
  }
}

/** Sets a custom property; uses the object model, which content security policies do not restrict. */
export function setVariable(node: HTMLElement, name: string, value: string): void {
  node.style.setProperty(name, value);
}
