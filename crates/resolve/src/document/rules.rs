use diag::Diagnostic;
use syntax::{Entry, Mapping, Node, NodeData};

use super::reader::Reader;
use crate::{Constraint, Rule, check, codes};

const RULES: [&str; 8] = ["mandatory", "prohibited", "dependency", "conflict", "at_most", "and", "or", "not"];

impl Reader {
    pub(super) fn constraint(&mut self, node: &Node) -> Option<Constraint> {
        let rule = self.rule(node, "a constraint", true)?;
        let text = node.get("text").and_then(|it| self.text(it, "the `text` of a constraint"));
        Some(Constraint { rule, text, origin: Some(node.span) })
    }

    /// A rule; one that is not nested in another may have a text.
    fn rule(&mut self, node: &Node, what: &str, with_text: bool) -> Option<Rule> {
        match &node.data {
            NodeData::String(name, _) => self.bare(node, name),
            NodeData::Mapping(mapping) => {
                let entry = self.only_rule(mapping, node, what, with_text)?;
                self.keyed(entry)
            }
            _ => {
                self.wrong(node, what, "a map such as `{conflict: a}`, or `mandatory` or `prohibited`");
                None
            }
        }
    }

    /// A rule that consists of a word.
    fn bare(&mut self, node: &Node, name: &str) -> Option<Rule> {
        match name {
            "mandatory" => return Some(Rule::Mandatory),
            "prohibited" => return Some(Rule::Prohibited),
            _ => {}
        }
        let found = Diagnostic::error(codes::UNKNOWN_RULE, node.span, format!("`{name}` is not a rule"));
        let found = match diag::nearest(name, RULES) {
            Some(near @ ("mandatory" | "prohibited")) => {
                let help = format!("did you mean `{near}`?");
                found.help(help).replace(format!("Change to `{near}`"), node.span, near)
            }
            Some(near) => found.help(format!("`{near}` is written as a map: `{near}: …`")),
            None => found.help("rules without arguments are `mandatory` and `prohibited`"),
        };
        self.report(found);
        None
    }

    /// The one entry that is a rule.
    fn only_rule<'a>(
        &mut self,
        mapping: &'a Mapping,
        node: &Node,
        what: &str,
        with_text: bool,
    ) -> Option<&'a Entry> {
        let mut allowed = RULES.to_vec();
        allowed.extend(with_text.then_some("text"));
        let before = self.diagnostics.len();
        self.only(mapping, what, &allowed);
        let mut rules = mapping.entries.iter().filter(|it| RULES.contains(&&*it.key));
        let Some(first) = rules.next() else {
            if self.diagnostics.len() == before {
                let found = Diagnostic::error(codes::NOT_ONE_RULE, node.span, format!("{what} has no rule"));
                self.report(found.help(format!("add one of `{}`", RULES.join("`, `"))));
            }
            return None;
        };
        for second in rules {
            let message = format!("`{}` is set together with `{}` in {what}", second.key, first.key);
            let found = Diagnostic::error(codes::NOT_ONE_RULE, second.key_span, message)
                .related(first.key_span, "this one is used")
                .help("write each rule as an item of its own");
            self.report(found);
        }
        Some(first)
    }

    fn keyed(&mut self, entry: &Entry) -> Option<Rule> {
        let (key, value) = (&*entry.key, &entry.value);
        Some(match key {
            "mandatory" | "prohibited" => return self.flagged(entry),
            "dependency" => Rule::Dependency(self.mentions(value, "`dependency`")),
            "conflict" => Rule::Conflict(self.mention(value, "`conflict`")?),
            "at_most" => return self.at_most(value),
            "and" => Rule::And(self.rules(value, "`and`")),
            "or" => Rule::Or(self.rules(value, "`or`")),
            _ => Rule::Not(Box::new(self.rule(value, "`not`", false)?)),
        })
    }

    fn rules(&mut self, node: &Node, what: &str) -> Vec<Rule> {
        let item = format!("an item of {what}");
        self.sequence(node, what).iter().filter_map(|it| self.rule(it, &item, false)).collect()
    }

    /// `mandatory: true`, which can have a text.
    fn flagged(&mut self, entry: &Entry) -> Option<Rule> {
        match entry.value.data {
            NodeData::Bool(true) if &*entry.key == "mandatory" => Some(Rule::Mandatory),
            NodeData::Bool(true) => Some(Rule::Prohibited),
            NodeData::Bool(false) => {
                let message = format!("`{}: false` has no effect", entry.key);
                let found = Diagnostic::warning(codes::NEEDLESS_RULE, entry.value.span, message);
                self.report(found.help("remove the constraint"));
                None
            }
            _ => {
                self.wrong(&entry.value, &format!("`{}`", entry.key), "true");
                None
            }
        }
    }

    fn at_most(&mut self, node: &Node) -> Option<Rule> {
        let mapping = self.mapping(node, "`at_most`")?;
        self.only(mapping, "`at_most`", &["n", "of"]);
        let of = match mapping.get("of") {
            Some(of) => Some(self.mentions(of, "`of`")),
            None => {
                self.missing(node.span, "`of` in `at_most`", "add `of: […]`, the variables that are counted");
                None
            }
        };
        let n = match mapping.get("n") {
            Some(n) => self.number(n),
            None => {
                self.missing(node.span, "`n` in `at_most`", "add `n: …`, how many of them are permitted");
                None
            }
        };
        let (n, of) = (n?, of?);
        let repeated = check::repeated(&of, node.span);
        self.diagnostics.extend(repeated);
        Some(Rule::AtMost { n, of })
    }

    fn number(&mut self, node: &Node) -> Option<usize> {
        let NodeData::Int(n) = node.data else {
            self.wrong(node, "`n`", "a whole number");
            return None;
        };
        let number = usize::try_from(n).ok();
        if number.is_none() {
            let found = Diagnostic::error(codes::NEGATIVE_NUMBER, node.span, "`n` cannot be less than 0");
            self.report(found.help("`n: 0` permits none of them"));
        }
        number
    }
}
