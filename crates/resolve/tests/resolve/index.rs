//! Indices of packages in pubgrub's format: `{package: {version: {package: [(from, Some(before))]}}}`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use planloom_resolve::{Expand, Expansion, Id, Rule, Variable};
use pubgrub::Ranges;

/// From a version to before another one, or to the last.
pub(crate) type Segment = (u32, Option<u32>);

/// The requirements of each version of a package.
pub(crate) type Requirements = BTreeMap<u32, Vec<Segment>>;

#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) packages: BTreeMap<u32, BTreeMap<u32, Requirements>>,
    /// By package: its versions with their names, the newest first.
    names: BTreeMap<u32, Vec<(u32, Id)>>,
    places: HashMap<Id, (u32, u32)>,
}

impl Index {
    pub(crate) fn read(text: &str) -> Self {
        let packages = Reader { text: text.as_bytes(), at: 0 }
            .map(&mut |it| it.map(&mut |it| it.map(&mut Reader::segments)));
        let mut index = Self { packages, ..Self::default() };
        for (package, versions) in &index.packages {
            for version in versions.keys().rev() {
                let id = Id::from(format!("{package}@{version}"));
                index.names.entry(*package).or_default().push((*version, id.clone()));
                index.places.insert(id, (*package, *version));
            }
        }
        index
    }

    /// Each version of each package.
    pub(crate) fn versions(&self) -> impl Iterator<Item = (u32, u32)> {
        self.packages
            .iter()
            .flat_map(|(package, versions)| versions.keys().map(|version| (*package, *version)))
    }

    /// The initial variables of a problem that requires one version.
    pub(crate) fn root(&self, package: u32, version: u32) -> Vec<Variable> {
        let required = Rule::Dependency(self.among(package, &[(version, Some(version + 1))]));
        vec![Variable::new("root", [Rule::Mandatory.into(), required.into()]), self.only_one(package)]
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
        let versions = self.names.get(&package).into_iter().flatten();
        versions.filter(|(version, _)| is_in(version)).map(|(_, id)| id.clone()).collect()
    }
}

/// Segments as pubgrub represents them.
pub(crate) fn ranges(segments: &[Segment]) -> Ranges<u32> {
    let range = |(from, before): &Segment| match before {
        Some(before) => Ranges::between(*from, *before),
        None => Ranges::higher_than(*from),
    };
    segments.iter().map(range).fold(Ranges::empty(), |all, it| all.union(&it))
}

/// Generates the variables that a search requests, and for each package once the limit to one version of it.
pub(crate) struct Source<'i> {
    index: &'i Index,
    reported: BTreeSet<u32>,
}

impl<'i> Source<'i> {
    pub(crate) const fn new(index: &'i Index) -> Self {
        Self { index, reported: BTreeSet::new() }
    }
}

impl Expand for Source<'_> {
    fn expand(&mut self, id: &Id) -> Expansion {
        let (package, version) = self.index.places[id];
        let mut expansion = Expansion::default();
        for (other, segments) in &self.index.packages[&package][&version] {
            expansion.constraints.push(Rule::Dependency(self.index.among(*other, segments)).into());
            if self.reported.insert(*other) {
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
    /// The next byte that is not a space.
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
