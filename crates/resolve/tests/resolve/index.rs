//! Indices of packages as they are kept for pubgrub: `{package: {version: {package: [(from, Some(before))]}}}`.

use std::collections::{BTreeMap, BTreeSet};

use planloom_resolve::{Expand, Expansion, Id, Rule, Variable};

/// From a version to before another one, or to the last.
pub(crate) type Segment = (u32, Option<u32>);

/// What each version of each package requires.
pub(crate) type Requirements = BTreeMap<u32, Vec<Segment>>;

#[derive(Debug, Default)]
pub(crate) struct Index(pub(crate) BTreeMap<u32, BTreeMap<u32, Requirements>>);

impl Index {
    pub(crate) fn read(text: &str) -> Self {
        Self(
            Reader { text: text.as_bytes(), at: 0 }
                .map(&mut |it| it.map(&mut |it| it.map(&mut Reader::segments))),
        )
    }

    /// Each version of each package.
    pub(crate) fn versions(&self) -> impl Iterator<Item = (u32, u32)> {
        self.0.iter().flat_map(|(package, versions)| versions.keys().map(|version| (*package, *version)))
    }

    /// What a problem begins with that asks for one version.
    pub(crate) fn root(&self, package: u32, version: u32) -> Vec<Variable> {
        let wanted = Rule::Dependency(vec![id(package, version)]);
        vec![Variable::new("root", [Rule::Mandatory.into(), wanted.into()]), self.only_one(package)]
    }

    fn only_one(&self, package: u32) -> Variable {
        let of = self.among(package, &[(0, None)]);
        Variable::new(format!("one {package}"), [Rule::AtMost { n: 1, of }.into()])
    }

    /// The versions of a package in some segments, the newest first.
    fn among(&self, package: u32, segments: &[Segment]) -> Vec<Id> {
        let is_in = |version: &u32| {
            segments.iter().any(|(from, before)| from <= version && before.is_none_or(|it| *version < it))
        };
        let versions = self.0.get(&package).into_iter().flat_map(|it| it.keys().rev());
        versions.filter(|it| is_in(it)).map(|it| id(package, *it)).collect()
    }
}

fn id(package: u32, version: u32) -> Id {
    format!("{package}@{version}").into()
}

/// Tells what a search asks for, and of each package once that one version of it is enough.
pub(crate) struct Source<'i> {
    index: &'i Index,
    told: BTreeSet<u32>,
}

impl<'i> Source<'i> {
    pub(crate) const fn new(index: &'i Index) -> Self {
        Self { index, told: BTreeSet::new() }
    }
}

impl Expand for Source<'_> {
    fn expand(&mut self, id: &Id) -> Expansion {
        let (package, version) = id.split_once('@').expect("a version");
        let (package, version): (u32, u32) =
            (package.parse().expect("a number"), version.parse().expect("a number"));
        let mut expansion = Expansion::default();
        for (other, segments) in &self.index.0[&package][&version] {
            expansion.constraints.push(Rule::Dependency(self.index.among(*other, segments)).into());
            if self.told.insert(*other) {
                expansion.also.push(self.index.only_one(*other));
            }
        }
        expansion
    }
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    /// The next byte that is not space.
    fn peek(&mut self) -> u8 {
        while self.text[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
        self.text[self.at]
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == byte;
        self.at += usize::from(is_next);
        is_next
    }

    fn number(&mut self) -> u32 {
        self.peek();
        let length = self.text[self.at..].iter().take_while(|it| it.is_ascii_digit()).count();
        let digits = std::str::from_utf8(&self.text[self.at..self.at + length]).expect("digits");
        self.at += length;
        digits.parse().expect("a number")
    }

    fn map<T>(&mut self, value: &mut dyn FnMut(&mut Self) -> T) -> BTreeMap<u32, T> {
        let mut map = BTreeMap::new();
        assert!(self.take(b'{'));
        while !self.take(b'}') {
            let key = self.number();
            assert!(self.take(b':'));
            map.insert(key, value(self));
            self.take(b',');
        }
        map
    }

    fn segments(&mut self) -> Vec<Segment> {
        let mut segments = Vec::new();
        assert!(self.take(b'['));
        while !self.take(b']') {
            assert!(self.take(b'('));
            let from = self.number();
            assert!(self.take(b','));
            segments.push((from, self.optional()));
            assert!(self.take(b')'));
            self.take(b',');
        }
        segments
    }

    fn optional(&mut self) -> Option<u32> {
        let is_some = self.peek() == b'S';
        self.at += 4;
        is_some.then(|| {
            assert!(self.take(b'('));
            let number = self.number();
            assert!(self.take(b')'));
            number
        })
    }
}
