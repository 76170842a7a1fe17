mod pieces;
mod reader;
mod recover;
mod run;
mod statement;

use std::collections::BTreeSet;

pub(super) use pieces::{Piece, split};

use super::{Problem, ProblemKind, Scope};

/// A template that was filled in, as far as that is possible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// The text; `None` unless the other two lists are empty.
    ///
    /// Sensitive values are shown as `••••••`. Values that are known only at run time are shown as the
    /// reference to them, those that are filled in later as their placeholder.
    pub text: Option<String>,
    /// Places with Ruby that is not supported, in order. A template that has any is not run at all.
    pub unsupported: Vec<Problem>,
    /// The errors of running it, in the order in which they occurred, each once.
    pub errors: Vec<Problem>,
}

/// Fills in a template in ERB's form with trim mode `-`, without Ruby; places are bytes of the template.
///
/// Besides text, `<%= … %>`, `<%# … %>`, `<%%`, and trimming (`<%-`, `-%>`), these are supported, in one tag
/// or over several:
///
/// - `if`, `elsif`, `else`, `unless`, `end`, also behind a statement (`x = 1 if y`)
/// - `if_link("x") do |l|`, `if_p("a", "b") do |a, b|`, `l.if_p("a") do |a|`, and after them `end.else do`,
///   `end.else_if_link("y") do |l|`, `end.else_if_p("c") do |c|`
/// - `….each do |i|`, `….each_with_index do |i, n|`, of maps also `….each do |key, value|`
/// - `x = …`, `x += …`, `x ||= …`, `x << …`, `raise "…"`
///
/// Anything else is listed in [`Preview::unsupported`]. Never fails and always ends: the text is at most 1
/// MiB long and the work is bounded.
pub fn preview(template: &str, scope: &Scope<'_>) -> Preview {
    let (statements, mut unsupported) = reader::read(template);
    if !unsupported.is_empty() {
        return Preview { text: None, unsupported, errors: Vec::new() };
    }
    let (text, problems) = run::run(template, &statements, scope);
    let (refused, errors): (Vec<_>, Vec<_>) =
        problems.into_iter().partition(|problem| problem.kind == ProblemKind::Unsupported);
    unsupported.extend(refused);
    let fine = unsupported.is_empty() && errors.is_empty();
    Preview { text: fine.then_some(text), unsupported, errors }
}

/// Problems, each once.
#[derive(Debug, Default)]
struct Problems {
    list: Vec<Problem>,
    seen: BTreeSet<(usize, String)>,
}

impl Problems {
    fn add(&mut self, problem: Problem) {
        if self.seen.insert((problem.at.start, problem.message.clone())) {
            self.list.push(problem);
        }
    }
}
