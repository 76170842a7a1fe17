use std::{fmt, sync::Arc};

/// A name with ids that have to be given (`{topic}`) and ids that may be wildcards (`-`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Exactly(Arc<str>),
    /// An id that has to be given.
    Id(Arc<str>),
    /// An id or a wildcard.
    Any,
}

impl Pattern {
    pub(super) fn new(pattern: &str) -> Self {
        let part = |it: &str| match it {
            "-" => Part::Any,
            _ if it.starts_with('{') => Part::Id(it.trim_matches(['{', '}']).into()),
            _ => Part::Exactly(it.into()),
        };
        Self { parts: pattern.split('/').map(part).collect() }
    }

    /// True if a name, with wildcards or without, is at least as specific as the pattern.
    pub(super) fn is_satisfied_by(&self, name: &str) -> bool {
        let fits = |(part, it): (&Part, &str)| match part {
            Part::Exactly(text) => **text == *it,
            Part::Id(_) => !matches!(it, "" | "-"),
            Part::Any => !it.is_empty(),
        };
        name.split('/').count() == self.parts.len() && self.parts.iter().zip(name.split('/')).all(fits)
    }

    /// The name under which a query with this name is filed: after the first wildcard, all ids that may be wildcards are.
    /// A write would otherwise have to delete a set for every choice of wildcards, instead of one more than there are ids
    /// that may be wildcards.
    pub(super) fn filed(&self, name: &str) -> String {
        let mut is_open = false;
        let parts = self.parts.iter().zip(name.split('/')).map(|(part, it)| {
            let may_be_open = *part == Part::Any;
            is_open |= may_be_open && it == "-";
            if is_open && may_be_open { "-" } else { it }
        });
        parts.collect::<Vec<_>>().join("/")
    }

    /// The names under which queries may be filed that select this name, the widest first.
    pub(super) fn variants(&self, name: &str) -> Vec<String> {
        if !self.is_satisfied_by(name) {
            return Vec::new();
        }
        let open = self.parts.iter().filter(|it| **it == Part::Any).count();
        (0..=open).map(|given| self.with_given(name, given)).collect()
    }

    /// The name with only the first ids that may be wildcards.
    fn with_given(&self, name: &str, given: usize) -> String {
        let mut seen = 0;
        let parts = self.parts.iter().zip(name.split('/')).map(|(part, it)| {
            seen += usize::from(*part == Part::Any);
            if *part == Part::Any && seen > given { "-" } else { it }
        });
        parts.collect::<Vec<_>>().join("/")
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.parts.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "/" })?;
            match part {
                Part::Exactly(text) => f.write_str(text)?,
                Part::Id(id) => write!(f, "{{{id}}}")?,
                Part::Any => f.write_str("-")?,
            }
        }
        Ok(())
    }
}
