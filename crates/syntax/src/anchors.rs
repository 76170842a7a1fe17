use std::collections::BTreeMap;

use diag::{Diagnostic, Severity, Span};

use crate::builder::ExpandedSize;
use crate::report::Report;
use crate::{Node, codes};

/// The anchors of a document.
#[derive(Debug)]
pub(crate) struct Anchors<'a> {
    known: BTreeMap<&'a str, Anchor>,
    /// The number of nodes that aliases may still add.
    left: usize,
    limit: usize,
    /// The limits were exceeded, and the user knows.
    reported: bool,
    /// The number of aliases that led nowhere: names are compared for the first ones only.
    unknown: usize,
}

#[derive(Debug)]
enum Anchor {
    /// The node of the anchor is still being read.
    Open,
    Known(Node, ExpandedSize),
}

const MOST_GUESSES: usize = 20;

impl<'a> Anchors<'a> {
    pub(crate) const fn new(limit: usize) -> Self {
        Self { known: BTreeMap::new(), left: limit, limit, reported: false, unknown: 0 }
    }

    /// A collection with this anchor opens.
    pub(crate) fn open(&mut self, name: &'a str) {
        self.known.insert(name, Anchor::Open);
    }

    /// Stores the node of an anchor when it is complete.
    pub(crate) fn define(&mut self, name: &'a str, node: Node, weight: ExpandedSize) {
        self.known.insert(name, Anchor::Known(node, weight));
    }

    /// The node of the alias at `span`; otherwise there is a diagnostic.
    pub(crate) fn resolve(
        &mut self,
        name: &str,
        span: Span,
        depth_left: usize,
        text: &str,
        report: &mut Report,
    ) -> Option<(Node, ExpandedSize)> {
        match self.known.get(name) {
            Some(Anchor::Known(node, weight)) if weight.nodes <= self.left && weight.height <= depth_left => {
                self.left -= weight.nodes;
                return Some((node.clone(), *weight));
            }
            Some(Anchor::Known(_, weight)) => {
                let too_deep = weight.height > depth_left;
                if !std::mem::replace(&mut self.reported, true) {
                    report.push(self.too_much(name, span, too_deep));
                }
            }
            Some(Anchor::Open) => report.push(
                Diagnostic::error(
                    codes::RECURSIVE_ALIAS,
                    span,
                    format!("`*{name}` is inside the value that it refers to"),
                )
                .help("it is read as null; use another anchor or write the value"),
            ),
            None => {
                self.unknown += 1;
                let known = if self.unknown <= MOST_GUESSES { self.known.len() } else { 0 };
                report.push_with(Severity::Error, span, || self.unknown(name, span, known, text));
            }
        }
        None
    }

    fn too_much(&self, name: &str, span: Span, too_deep: bool) -> Diagnostic {
        if too_deep {
            return Diagnostic::error(
                codes::TOO_DEEP,
                span,
                format!("`*{name}` makes the document too deep"),
            )
            .help("this alias and others like it are read as null");
        }
        let message = format!("the aliases up to `*{name}` expand to more than {} values", self.limit);
        Diagnostic::error(codes::TOO_MANY_ALIASES, span, message)
            .help("this alias and those after it that are too much are read as null")
    }

    fn unknown(&self, name: &str, span: Span, known: usize, text: &str) -> Diagnostic {
        let found = Diagnostic::error(
            codes::UNKNOWN_ALIAS,
            span,
            format!("the anchor `&{name}` is not defined before this alias"),
        );
        match diag::nearest(name, self.known.keys().copied().take(known)) {
            Some(near) => found.help(format!("did you mean `*{near}`?")).replace(
                format!("Change to `*{near}`"),
                span,
                format!("*{near}"),
            ),
            None => {
                let found = found
                    .help(format!("define `&{name}` further up, or quote the text if it is not an alias"));
                match is_text(name, text.get(span.end as usize..).unwrap_or_default()) {
                    true => found.replace("Quote the text", span, format!("'*{}'", name.replace('\'', "''"))),
                    false => found,
                }
            }
        }
    }
}

/// True if `*name` is a text such as `*.log` that lacks its quotes: no anchor has such a name, and the value ends there.
fn is_text(name: &str, behind: &str) -> bool {
    let line = behind.lines().next().unwrap_or_default().trim_start();
    let is_name = name.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_' | b':'));
    !is_name && (line.is_empty() || line.starts_with(['#', ',', ']', '}']))
}
