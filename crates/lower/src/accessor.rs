//! Expressions over the contents of an item's links, e.g. `${link("db").p("port", 5432)}`: their places in a
//! text, and the interface of their reader, which is not part of the core.

use std::fmt;

use model::{Map, Origin, Value};

/// Reads expressions.
pub trait AccessorReader: fmt::Debug {
    /// Reads an expression, all of `text`.
    ///
    /// # Errors
    /// If it is not a valid expression.
    fn read(&self, text: &str) -> Result<Box<dyn AccessorExpression>, AccessorError>;
}

/// An expression that was read.
pub trait AccessorExpression: fmt::Debug {
    /// Evaluates the expression. `links` are those of the owner, by the names that it uses: each a map with
    /// `address`, `instances` and `properties`. An absent link is not in it. Computed values get the origin
    /// `origin`.
    ///
    /// # Errors
    /// If it has no value.
    fn evaluate(&self, links: &Map, origin: Origin) -> Result<Value, AccessorError>;
}

/// The reason why an expression cannot be read or evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessorError {
    /// The message: one line, without full stop.
    pub message: String,
    /// Advice on how to solve the problem.
    pub help: &'static str,
    /// True if it names a link that does not exist.
    pub is_absent_link: bool,
}

/// True if a text is meant to be an accessor, not a path such as `services.db.port`: it begins with
/// `link("…`, `if_link("…`, `p("…` or `if_p("…`, possibly after brackets and `!`.
pub(crate) fn looks_like_accessor(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '(' | '!'));
    let names = ["link", "if_link", "p", "if_p"];
    let mut afters = names.iter().filter_map(|name| text.strip_prefix(name));
    afters.any(|after| {
        let bare = after.trim_start().starts_with(['"', '\'']);
        after.starts_with('(')
            || bare && after.starts_with(|c: char| c.is_whitespace() || matches!(c, '"' | '\''))
    }) || text.starts_with(['"', '\'']) && text.contains("link(")
}

/// The byte of the `}` that ends an accessor, in the text after its `${`.
///
/// Braces of blocks and maps are counted; those in texts (`"…"`, `'…'`) are not, except for those of `#{…}`
/// in a text. `None` if it is not closed.
pub(crate) fn closing_brace(text: &str) -> Option<usize> {
    // The open braces and texts, outermost first.
    let mut open = Vec::new();
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match (open.last(), byte) {
            (Some(b'"' | b'\''), b'\\') => drop(bytes.next()),
            (Some(quote @ (b'"' | b'\'')), _) if byte == *quote => drop(open.pop()),
            (Some(b'"'), b'#') if text[at + 1..].starts_with('{') => {
                bytes.next();
                open.push(b'{');
            }
            (Some(b'"' | b'\''), _) => {}
            (_, b'"' | b'\'' | b'{') => open.push(byte),
            (None, b'}') => return Some(at),
            (Some(_), b'}') => drop(open.pop()),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(text: &str) -> Option<&str> {
        closing_brace(text).map(|at| &text[at..])
    }

    #[test]
    fn the_brace_that_ends_is_found() {
        assert_eq!(ends("a.b}x"), Some("}x"));
        assert_eq!(ends("map { |i| i.a }.join(',')} {}"), Some("} {}"));
        assert_eq!(ends(r##"p('}') + "}\"#{x('}')}" } y"##), Some("} y"));
        assert_eq!(ends("p('a"), None);
        assert_eq!(ends("{ a }"), None);
        assert_eq!(ends("'#{' }"), Some("}"));
        assert_eq!(ends(r##""#{p("}")}"} y"##), Some("} y"));
        assert_eq!(ends(r##""a#"} y"##), Some("} y"));
    }

    #[test]
    fn accessors_differ_from_paths() {
        for text in [
            "link('a')",
            " p(\"x\")",
            "!if_p('a')",
            "link 'a'",
            "p 'x'",
            "(p('a') + 1)",
            "'x' + link('a').address",
        ] {
            assert!(looks_like_accessor(text), "{text}");
        }
        for text in [
            "services.db.port",
            "link.a",
            "links.a.b",
            "p.x",
            "port",
            "",
            "\"services\".a",
            "linked('x')",
            "link a",
        ] {
            assert!(!looks_like_accessor(text), "{text}");
        }
    }
}
