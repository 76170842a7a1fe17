//! Flowcharts in the language of Mermaid.

use std::fmt::Write as _;

use diag::escape_invisible;

/// A flowchart in the language of Mermaid, written line by line.
///
/// ```
/// use planloom_graph::{Mermaid, mermaid};
///
/// let mut chart = Mermaid::new("LR");
/// chart.node("a", mermaid::Outline::Box, "say \"a\"");
/// chart.node("b", mermaid::Outline::Rounded, "b");
/// chart.edge("a", "-->|once|", "b");
/// assert_eq!(chart.finish(), "flowchart LR\n  a[\"say #34;a#34;\"]\n  b([\"b\"])\n  a -->|once| b\n");
/// ```
#[derive(Clone, Debug)]
pub struct Mermaid(String);

/// The outline of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outline {
    /// With corners.
    Box,
    /// With half circles at both sides.
    Rounded,
}

// Writing to a text cannot fail.
impl Mermaid {
    /// A flowchart whose edges lead into that direction (`LR`, `RL`, `TB` or `BT`).
    pub fn new(direction: &str) -> Self {
        Self(format!("flowchart {direction}\n"))
    }

    /// A line that is not drawn.
    pub fn comment(&mut self, comment: &str) {
        let _ = writeln!(self.0, "  %% {}", escape_invisible(comment, &[]));
    }

    /// A node; the id is a word that means nothing to Mermaid, the label any text.
    pub fn node(&mut self, id: &str, outline: Outline, label: &str) {
        let (open, close) = match outline {
            Outline::Box => ("[", "]"),
            Outline::Rounded => ("([", "])"),
        };
        let _ = writeln!(self.0, "  {id}{open}\"{}\"{close}", escaped(label));
    }

    /// An edge between two nodes, by their ids. The arrow is `-->`, `-.->` or `==>`, with its [`label`] where it has one.
    pub fn edge(&mut self, from: &str, arrow: &str, to: &str) {
        let _ = writeln!(self.0, "  {from} {arrow} {to}");
    }

    /// The text, which ends with a line feed.
    pub fn finish(self) -> String {
        self.0
    }
}

/// The text of Mermaid for the label of an arrow; any text is permitted.
pub fn label(text: &str) -> String {
    format!("|\"{}\"|", escaped(text))
}

/// Mermaid's entities: a label is in quotes, and `#` begins an entity. Invisible characters are written out.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in escape_invisible(text, &[]).chars() {
        match character {
            '"' | '#' | '<' | '>' | '&' => {
                let _ = write!(escaped, "#{};", u32::from(character));
            }
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped() {
        assert_eq!(label("<b> & \"c\" #1"), "|\"#60;b#62; #38; #34;c#34; #35;1\"|");
        assert_eq!(label("a\nb\u{202e}"), r#"|"a\u000ab\u202e"|"#);
    }
}
