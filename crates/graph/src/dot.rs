//! Graphs in the language of Graphviz.

use std::fmt::Write as _;

use diag::escape_invisible;

/// A graph in the language of Graphviz, written line by line.
///
/// ```
/// use planloom_graph::{Dot, dot};
///
/// let mut graph = Dot::new("tasks", "LR");
/// graph.node("a", &[("shape", "box"), ("label", &dot::quoted("say \"a\""))]);
/// graph.edge("a", "b", &[("style", "dotted")]);
/// let text = "digraph tasks {\n  rankdir=LR;\n  \"a\" [shape=box, label=\"say \\\"a\\\"\"];\n  \"a\" -> \"b\" [style=dotted];\n}\n";
/// assert_eq!(graph.finish(), text);
/// ```
#[derive(Clone, Debug)]
pub struct Dot(String);

// Writing to a text cannot fail.
impl Dot {
    /// A graph of that name, an identifier, whose edges lead into that direction (`LR`, `RL`, `TB` or `BT`).
    pub fn new(name: &str, direction: &str) -> Self {
        Self(format!("digraph {name} {{\n  rankdir={direction};\n"))
    }

    /// Something that holds for all that follows, without the semicolon: `node [shape=box]`.
    pub fn statement(&mut self, statement: &str) {
        let _ = writeln!(self.0, "  {statement};");
    }

    /// A line that is not drawn.
    pub fn comment(&mut self, comment: &str) {
        let _ = writeln!(self.0, "  // {}", escape_invisible(comment, &[]));
    }

    /// A node. The values of attributes stand as they are: texts of others have to be [`quoted`].
    pub fn node(&mut self, id: &str, attributes: &[(&str, &str)]) {
        let _ = writeln!(self.0, "  {} [{}];", quoted(id), list(attributes));
    }

    /// An edge between two nodes, by their ids, with attributes as those of a [`node`](Self::node).
    pub fn edge(&mut self, from: &str, to: &str, attributes: &[(&str, &str)]) {
        let _ = writeln!(self.0, "  {} -> {} [{}];", quoted(from), quoted(to), list(attributes));
    }

    /// The text, which ends with a line feed.
    pub fn finish(self) -> String {
        self.0 + "}\n"
    }
}

fn list(attributes: &[(&str, &str)]) -> String {
    attributes.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(", ")
}

/// A text of one line as Graphviz reads it: nothing in it ends the text, and what cannot be seen is written out.
pub fn quoted(text: &str) -> String {
    quoted_lines(&[text])
}

/// A text of these lines.
pub fn quoted_lines(lines: &[&str]) -> String {
    let escaped = |line: &&str| escape_invisible(line, &[]).replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", lines.iter().map(escaped).collect::<Vec<_>>().join("\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        assert_eq!(quoted(r#"a "b" \ c"#), r#""a \"b\" \\ c""#);
        assert_eq!(quoted("a\nb\u{1b}[31m\u{202e}"), r#""a\\u000ab\\u001b[31m\\u202e""#);
        assert_eq!(quoted_lines(&["a\"", "1"]), r#""a\"\n1""#);
    }
}
