import { yamlLanguage } from "@codemirror/lang-yaml";
import { Language, LanguageSupport, ParseContext } from "@codemirror/language";
import { type Input, type PartialParse, Parser, type Tree, type TreeFragment } from "@lezer/common";

/** The number of characters that are parsed beyond the visible part, so that scrolling a little shows no plain text. */
const AHEAD = 10_000;
/** The number of characters before the end of such a parse that are parsed again when they become visible, because open nodes end there. */
const CUT = 2_000;

/** Parses the visible part only: otherwise each keystroke in a long file would parse the rest of it again. */
class ParserInView extends Parser {
  createParse(input: Input, fragments: readonly TreeFragment[], ranges: readonly { from: number; to: number }[]): PartialParse {
    const parse = yamlLanguage.parser.createParse(input, fragments, ranges);
    const context = ParseContext.get();
    const end = context === null ? input.length : context.viewport.to + AHEAD;
    return context === null || end >= input.length ? parse : new ParseInView(parse, context, end, input.length);
  }
}

class ParseInView implements PartialParse {
  /** Set by the code that stops the parse, not by the parser: for the editor the parse is complete at the end of the visible part. */
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

/** YAML, highlighted in the visible part. */
export const yaml = (): LanguageSupport => new LanguageSupport(language);
