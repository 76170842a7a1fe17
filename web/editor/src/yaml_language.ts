import { yamlLanguage } from "@codemirror/lang-yaml";
import { Language, LanguageSupport, ParseContext } from "@codemirror/language";
import { type Input, type PartialParse, Parser, type Tree, type TreeFragment } from "@lezer/common";

/** How far beyond what is seen a text is parsed, in characters: scrolling a little shows no plain text. */
const AHEAD = 10_000;
/** How much before the end of such a parse is parsed again when it comes into view: what was open there is cut off. */
const CUT = 2_000;

/** Parses as far as one looks: after an edit in a long file the rest of it would be parsed anew at every key. */
class ParserInView extends Parser {
  createParse(input: Input, fragments: readonly TreeFragment[], ranges: readonly { from: number; to: number }[]): PartialParse {
    const parse = yamlLanguage.parser.createParse(input, fragments, ranges);
    const context = ParseContext.get();
    const end = context === null ? input.length : context.viewport.to + AHEAD;
    return context === null || end >= input.length ? parse : new ParseInView(parse, context, end, input.length);
  }
}

class ParseInView implements PartialParse {
  /** Set by who stops it, not by itself: for the editor it is done when it has reached what is not seen. */
  stoppedAt: number | null = null;

  constructor(private readonly parse: PartialParse, private readonly context: ParseContext, end: number, private readonly length: number) {
    parse.stopAt(end);
    this.end = end;
  }

  private readonly end: number;

  get parsedPos(): number {
    return this.parse.parsedPos;
  }

  advance(): Tree | null {
    const tree = this.parse.advance();
    if (tree !== null && this.stoppedAt === null) this.context.skipUntilInView(this.end - CUT, this.length);
    return tree;
  }

  stopAt(at: number): void {
    if (at >= this.end) return;
    this.stoppedAt = at;
    this.parse.stopAt(at);
  }
}

const language = new Language(yamlLanguage.data, new ParserInView(), [], "yaml");

/** YAML, highlighted where one looks. */
export const yaml = (): LanguageSupport => new LanguageSupport(language);
