use std::collections::BTreeMap;

use diag::Span;
use fields::schema::{Field, Message};

use crate::field_tree::Rule;

/// A message of both versions while its fields are paired.
pub(crate) struct OpenMessage<'a> {
    pub(crate) old: &'a Message,
    pub(crate) new: &'a Message,
    /// The rules about its own fields.
    pub(crate) rules: Vec<Rule<'a>>,
    /// The rules about fields inside its fields, by the name of the old field.
    pub(crate) inner: BTreeMap<String, Vec<Rule<'a>>>,
    pub(crate) path: String,
    pub(crate) span: Span,
}

impl<'a> OpenMessage<'a> {
    pub(crate) fn new(
        old: &'a Message,
        new: &'a Message,
        all: Vec<Rule<'a>>,
        path: &str,
        span: Span,
    ) -> Self {
        let mut open =
            Self { old, new, rules: Vec::new(), inner: BTreeMap::new(), path: path.to_owned(), span };
        // Rules about whole fields decide where those about their parts belong.
        let (own, below): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|it| it.old.len() < 2 && it.new.len() < 2);
        open.rules = own;
        below.into_iter().for_each(|rule| open.add(rule));
        open
    }

    /// The new field that an old one of this message is as a whole.
    fn counterpart(&self, old: &str) -> Option<String> {
        let written = self.rules.iter().find(|it| it.old == [old]);
        if let Some(written) = written {
            return written.new.first().filter(|_| written.new.len() == 1).cloned();
        }
        self.same_name(&[old.to_owned()]).map(|(_, new)| new.name.to_string())
    }

    /// True for a path of a rule that no conversion of a message is about.
    pub(crate) fn is_own(&self, old: &[String]) -> bool {
        match old {
            [] => false,
            [_] => true,
            [first, ..] => self.counterpart(first).is_none(),
        }
    }

    fn counterpart_of_new(&self, new: &str) -> Option<String> {
        let olds = self.old.fields.iter().map(|it| it.name.to_string());
        olds.into_iter().find(|it| self.counterpart(it).as_deref() == Some(new))
    }

    fn add(&mut self, rule: Rule<'a>) {
        let first = |path: &[String]| path.first().cloned().filter(|_| path.len() > 1);
        let above = first(&rule.old).filter(|it| self.counterpart(it).is_some());
        let above_new = first(&rule.new).and_then(|it| self.counterpart_of_new(&it));
        let is_inside = match (rule.old.is_empty(), rule.new.is_empty()) {
            (false, false) => above.is_some() && above == above_new,
            _ => above.is_some() || above_new.is_some(),
        };
        if is_inside {
            self.inner.entry(above.or(above_new).unwrap_or_default()).or_default().push(rule.inner());
            return;
        }
        if let Some(above) = above {
            let moved = rule.moved(rule.old.get(1..).unwrap_or_default(), &[]);
            self.inner.entry(above).or_default().push(moved);
        }
        if let Some(above) = above_new {
            let moved = rule.moved(&[], rule.new.get(1..).unwrap_or_default());
            self.inner.entry(above).or_default().push(moved);
        }
        self.rules.push(rule);
    }

    /// The fields of both versions that have the same name, if no rule is about the new one.
    pub(crate) fn same_name(&self, path: &[String]) -> Option<(&'a Field, &'a Field)> {
        let [name] = path else { return None };
        let find = |message: &'a Message| message.fields.iter().find(|it| *it.name == **name);
        let is_free = self.rules.iter().all(|it| it.new != [name.clone()]);
        find(self.old).zip(find(self.new)).filter(|_| is_free)
    }

    pub(crate) fn path_of(&self, path: &[String]) -> String {
        let own = path.join(".");
        if self.path.is_empty() { own } else { format!("{}.{own}", self.path) }
    }
}
