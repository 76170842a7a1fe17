//! The codes of what this crate reports, each with its documentation.

diag::codes! {
    /// The codes of problems of the text of a YAML file.
    pub const ALL in "syntax";

    /// A text that is not YAML at this place, for a reason that has no code of its own.
    ///
    /// The message says what was found there: a text after a closing quote, a missing `,` or `:`, an unknown escape
    /// sequence, or a merge conflict marker of version control. What the parser cannot read is left out of the file,
    /// so problems after this one may be consequences of it. Follow the help, which says what to write, and check
    /// again.
    ///
    /// ```yaml
    /// key: "text" more
    /// ```
    INVALID = "invalid": Error, fix;

    /// A tab where YAML allows only spaces.
    ///
    /// YAML does not allow tabs for indentation, because their width is not defined. A tab that the file can be read
    /// with is a warning, since other parsers refuse the file; one that decides where a line belongs is an error.
    /// Replace each tab with spaces: the fix indents as the lines around it do.
    TAB = "tab": Error | Warning, fix;

    /// A `:` without a space after it, where a key with a value is meant.
    ///
    /// `key:value` is one text in YAML, not a key and its value. It is an error where only a key can be, and a
    /// warning where the whole line may be meant as a text. Insert a space after the `:`, or quote the text if it is
    /// one.
    ///
    /// ```yaml
    /// services:
    ///   web:
    ///     payload:web
    /// ```
    MISSING_SPACE = "missing-space": Error | Warning, fix;

    /// A line that starts neither where its neighbours start nor where it could belong to the line above.
    ///
    /// YAML finds out by indentation what belongs to what, so such a line could belong to several places. Lines of
    /// one map or list start in the same column. Indent the line like its neighbours.
    ///
    /// ```yaml
    /// services:
    ///   web:
    ///     payload: web
    ///    network: lan
    /// ```
    INDENTATION = "indentation": Error;

    /// A line inside quotes or brackets that is not indented deeper than the key it belongs to.
    ///
    /// libyaml, and so most tools, reads it, and so does Planloom; YAML 1.2 does not allow it, and some parsers
    /// refuse the file. Indent the line, a closing bracket too. The fix does so and changes no value.
    CONTINUATION_INDENTATION = "continuation-indentation": Warning, fix;

    /// A comment without a space before its `#`.
    ///
    /// libyaml reads it as a comment; YAML 1.2 does not, and some parsers refuse the file. Insert a space if it is a
    /// comment, or quote the text if the `#` belongs to it.
    COMMENT_SPACE = "comment-space": Warning, fix;

    /// A quote that is not closed.
    ///
    /// Everything up to the next quote of the kind, or up to the end of the file, would belong to the text. Close the
    /// quote on its line, or indent the further lines of the text. The fix closes it at the end of the line.
    ///
    /// ```yaml
    /// image: "registry.example/web:1.0
    /// ```
    UNCLOSED_QUOTE = "unclosed-quote": Error, fix;

    /// A `[` or `{` that is not closed, or a closing bracket that opens nothing.
    ///
    /// What follows is read as part of the list or map until it is closed. Add the missing bracket, remove the extra
    /// one, or quote the text if the bracket belongs to a value.
    UNCLOSED_BRACKET = "unclosed-bracket": Error;

    /// A key that its map has already.
    ///
    /// YAML allows each key once in a map. Tools differ in which of the two they use, so one of the values would be
    /// lost without notice; Planloom uses the first until the problem is solved. Keep one of the two.
    ///
    /// ```yaml
    /// web: {payload: a, payload: b}
    /// ```
    DUPLICATE_KEY = "duplicate-key": Error;

    /// A list or a map as a key, or no key at all before a `:`.
    ///
    /// Keys are texts in everything that Planloom reads. Write the key, or quote the whole value if the `{{` or the
    /// `:` belongs to it, as in templates. The entry is left out until then.
    KEY_NOT_TEXT = "key-not-text": Error;

    /// A tag, a word with `!` before a value, that has no meaning here.
    ///
    /// Known are the merge tags such as `!reset` and `!override` and the core tags of YAML such as `!!str`. A
    /// misspelled merge tag would merge in another way than intended, so it is not ignored. Correct the tag or remove
    /// it.
    UNKNOWN_TAG = "unknown-tag": Error, fix;

    /// A merge tag before a key, where it has no effect.
    ///
    /// YAML counts a tag before a key to the key and not to its value. Write the tag after the `:`, before the value.
    ///
    /// ```yaml
    /// !reset network: null     # instead: network: !reset null
    /// ```
    TAG_ON_KEY = "tag-on-key": Warning;

    /// A core tag of YAML whose value is of another kind, such as `!!int x`.
    ///
    /// The tag says how the value is to be read, and it cannot be read so. Remove the tag, or change the value.
    TAG_MISMATCH = "tag-mismatch": Error;

    /// A value without quotes that parsers of YAML 1.1 and 1.2 read differently.
    ///
    /// Examples are `yes`, `on` and `0o17`: one parser reads a text, the other a truth value or another number. The
    /// file would mean something else in another tool. Quote it if it is a text; write a number in decimal.
    ///
    /// ```yaml
    /// restart: no
    /// ```
    AMBIGUOUS_SCALAR = "ambiguous-scalar": Warning | Hint, fix;

    /// A number that is too large to be kept exactly.
    ///
    /// It is read as the nearest number that fits, so digits are lost. Identifiers are often written so. Quote it if
    /// the digits matter; where a text is expected, the digits are kept anyway and this is not reported.
    NUMBER_TOO_BIG = "number-too-big": Warning;

    /// A second document in one file.
    ///
    /// A `---` or a text after `...` starts another document. Only the first is read, since a file is one layer. Put
    /// each document into a file of its own, in the order in which they are to be merged.
    SEVERAL_DOCUMENTS = "several-documents": Error;

    /// A control character, which no YAML file may contain.
    ///
    /// Such characters cannot be seen, come from copied terminal output or broken files, and most parsers refuse
    /// them. Remove it, or write it as an escape sequence in double quotes, such as `"\u001b"`.
    CONTROL_CHARACTER = "control-character": Error, fix;

    /// A key with a character that cannot be seen.
    ///
    /// Two names that look the same would be different, or a character that turns the direction of text would show
    /// another name than there is. Remove the character here and everywhere the name is used; the fix renames the
    /// key. It is a warning in files of other tools.
    INVISIBLE_CHARACTER = "invisible-character": Error | Warning, fix;

    /// A file that is not a text.
    ///
    /// It contains a null byte, as pictures and programs do. Nothing of it is read. Give a YAML file, or a `.zip`
    /// package of YAML files.
    NOT_TEXT = "not-text": Error;

    /// An alias, `*name`, of an anchor that is not defined before it.
    ///
    /// An alias repeats the value that `&name` was written before, earlier in the same file. It is read as null until
    /// then. Correct the name, or define the anchor earlier.
    UNKNOWN_ALIAS = "unknown-alias": Error, fix;

    /// An alias inside of the value that it repeats.
    ///
    /// The value would contain itself without end. Write the inner value out, or move the anchor to a smaller value.
    RECURSIVE_ALIAS = "recursive-alias": Error;

    /// Aliases that expand to more values than are allowed.
    ///
    /// A few lines of aliases of aliases can expand to billions of values and make a program run out of memory, so
    /// the number is limited. The aliases beyond the limit are read as null. Write fewer aliases of large values.
    TOO_MANY_ALIASES = "too-many-aliases": Error;

    /// A `<<` whose value is not a map.
    ///
    /// `<<` copies the entries of the maps that it names, so it takes an alias of a map or a list of them. Write `<<:
    /// *anchor`, or quote the key if a key with this name is meant.
    MERGE_KEY = "merge-key": Error;

    /// Lists and maps deeper inside each other than is read.
    ///
    /// The depth is limited so that no file can make a program run out of memory. What is deeper is read as null.
    /// Flatten the value.
    TOO_DEEP = "too-deep": Error;

    /// A file with more bytes than are read.
    ///
    /// Nothing of it is read. Split it into several files; later ones override earlier ones.
    TOO_LARGE = "too-large": Error;

    /// A number of further problems in this file that are not listed.
    ///
    /// One mistake often causes many problems. Fix those that are listed, and check again.
    TOO_MANY = "too-many-problems": Error | Warning;
}
