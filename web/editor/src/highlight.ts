import { HighlightStyle } from "@codemirror/language";
import { tags } from "@lezer/highlight";

/** Classes only: the colours are the theme's, so that they follow the app's custom properties. */
export const highlight = HighlightStyle.define([
  { tag: tags.definition(tags.propertyName), color: "var(--code-key)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.content, color: "var(--text)" },
  { tag: [tags.lineComment, tags.comment], color: "var(--muted)", fontStyle: "italic" },
  { tag: [tags.labelName, tags.special(tags.string)], color: "var(--code-anchor)" },
  { tag: tags.typeName, color: "var(--code-tag)" },
  { tag: [tags.meta, tags.keyword], color: "var(--muted)" },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: "var(--muted)" },
]);
