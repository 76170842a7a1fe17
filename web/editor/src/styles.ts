import { StyleModule as Rules } from "style-mod";

type Root = Document | ShadowRoot;

const mounted = new WeakMap<Root, { sheet: CSSStyleSheet; modules: Rules[] }>();

/**
 * Replaces the class of style-mod in the bundle. The rules go into a constructed style sheet instead of a `<style>`
 * element, so `style-src 'self'` needs no nonce; shadow roots work the same way.
 */
export class StyleModule extends Rules {
  static override mount(root: Root, modules: Rules | readonly Rules[], options?: { nonce?: string }): void {
    if (!("replaceSync" in CSSStyleSheet.prototype)) return Rules.mount(root as Document, modules as Rules[], options);
    const added = Array.isArray(modules) ? (modules as Rules[]) : [modules as Rules];
    const set = mounted.get(root) ?? adopt(root);
    if (added.every((module) => set.modules.includes(module))) return;
    set.modules = [...set.modules.filter((module) => !added.includes(module)), ...added];
    set.sheet.replaceSync(set.modules.map((module) => module.getRules()).join("\n"));
  }
}

function adopt(root: Root): { sheet: CSSStyleSheet; modules: Rules[] } {
  const sheet = new CSSStyleSheet();
  root.adoptedStyleSheets = [sheet, ...root.adoptedStyleSheets];
  const set = { sheet, modules: [] };
  mounted.set(root, set);
  return set;
}
