//! Catalogs and requests in a few lines.
//!
//! ```text
//! catalog A 1                        # its name and priority; `catalog` without this line
//! a! beta                            # the default channel of a package; the first one without this line
//! a@1.0.0{ch:[alpha, beta], rep:a@0.9.0, skips:[a@0.8.0], sr:"<0.8.0", gvk:K, req:[b ">=1.0.0", gvk K], max:4.20}
//! profile v1
//! installed a@0.9.0{gvk:K}
//! require a ">=1.0.0" ch:[alpha] from:A any
//! cluster 4.21 kube:1.30.0
//! ```

/// One word of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Atom(String),
    Text(String),
    List(Vec<Vec<Word>>),
}

/// A case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Case {
    pub(crate) catalogs: Vec<Catalog>,
    pub(crate) profile: String,
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) installed: Vec<Bundle>,
    pub(crate) openshift: Option<String>,
    pub(crate) kubernetes: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Catalog {
    pub(crate) name: String,
    pub(crate) priority: i64,
    pub(crate) defaults: Vec<(String, String)>,
    pub(crate) bundles: Vec<Bundle>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Bundle {
    pub(crate) package: String,
    pub(crate) version: String,
    pub(crate) fields: Vec<(String, Word)>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Requirement {
    pub(crate) package: String,
    pub(crate) range: Option<String>,
    pub(crate) channels: Vec<String>,
    pub(crate) catalog: Option<String>,
    pub(crate) starting: Option<String>,
    pub(crate) any: bool,
}

impl Case {
    /// Reads the lines of a case.
    pub(crate) fn read(text: &str) -> Self {
        let mut case = Self { profile: "phase0".into(), ..Self::default() };
        for line in text.lines().map(|it| it.split('#').next().unwrap_or_default().trim()) {
            if !line.is_empty() {
                case.line(line);
            }
        }
        case
    }

    fn line(&mut self, line: &str) {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        match first {
            "catalog" => {
                let (name, priority) = rest.split_once(' ').unwrap_or((rest, "0"));
                let priority = priority.parse().expect("a priority");
                self.catalogs.push(Catalog { name: name.into(), priority, ..Catalog::default() });
            }
            "profile" => self.profile = rest.into(),
            "installed" => self.installed.extend(Reader::new(rest).bundles()),
            "require" => self.requirements.push(requirement(rest)),
            "cluster" => self.cluster(rest),
            _ if first.ends_with('!') => {
                let package = first.trim_end_matches('!').to_owned();
                self.catalog().defaults.push((package, rest.into()));
            }
            _ => {
                let bundles = Reader::new(line).bundles();
                self.catalog().bundles.extend(bundles);
            }
        }
    }

    fn cluster(&mut self, rest: &str) {
        for word in rest.split_whitespace() {
            match word.strip_prefix("kube:") {
                Some(version) => self.kubernetes = Some(version.into()),
                None => self.openshift = Some(word.into()),
            }
        }
    }

    fn catalog(&mut self) -> &mut Catalog {
        if self.catalogs.is_empty() {
            self.catalogs.push(Catalog { name: "catalog".into(), ..Catalog::default() });
        }
        self.catalogs.last_mut().expect("there is one")
    }
}

impl Bundle {
    /// Its name, as everything refers to it.
    pub(crate) fn name(&self) -> String {
        name(&self.package, &self.version)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Word> {
        self.fields.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The words of a field: of a list, or the one.
    pub(crate) fn items(&self, key: &str) -> Vec<Vec<Word>> {
        match self.get(key) {
            None => Vec::new(),
            Some(Word::List(items)) => items.clone(),
            Some(word) => vec![vec![word.clone()]],
        }
    }

    pub(crate) fn channels(&self) -> Vec<String> {
        let named: Vec<String> = self.items("ch").iter().map(|it| it[0].text()).collect();
        if named.is_empty() { vec!["stable".into()] } else { named }
    }
}

/// The name of a bundle of a package.
pub(crate) fn name(package: &str, version: &str) -> String {
    format!("{package}.v{version}")
}

/// The name that `a@1.0.0` refers to.
pub(crate) fn reference(text: &str) -> String {
    text.split_once('@').map_or_else(|| text.to_owned(), |(package, version)| name(package, version))
}

impl Word {
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Atom(text) | Self::Text(text) => text.clone(),
            Self::List(_) => panic!("a list is not a word"),
        }
    }
}

fn requirement(text: &str) -> Requirement {
    let mut reader = Reader::new(text);
    let mut found = Requirement { package: reader.atom(), ..Requirement::default() };
    loop {
        reader.spaces();
        if reader.rest.is_empty() {
            return found;
        }
        if reader.rest.starts_with('"') {
            found.range = Some(reader.word().text());
            continue;
        }
        let key = reader.atom();
        if key == "any" {
            found.any = true;
            continue;
        }
        assert!(reader.eat(':'), "`{key}` has a value in `{text}`");
        match (&*key, reader.word()) {
            ("ch", Word::List(items)) => found.channels = items.iter().map(|it| it[0].text()).collect(),
            ("ch", word) => found.channels = vec![word.text()],
            ("from", word) => found.catalog = Some(word.text()),
            ("start", word) => found.starting = Some(reference(&word.text())),
            _ => panic!("`{key}` in `{text}`"),
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    fn bundles(&mut self) -> Vec<Bundle> {
        let mut found = Vec::new();
        loop {
            self.spaces();
            if self.rest.is_empty() {
                return found;
            }
            let name = self.atom();
            let (package, version) = name.split_once('@').unwrap_or_else(|| panic!("`{name}` has a version"));
            let fields = if self.eat('{') { self.fields() } else { Vec::new() };
            found.push(Bundle { package: package.into(), version: version.into(), fields });
            self.spaces();
            self.eat(',');
        }
    }

    fn fields(&mut self) -> Vec<(String, Word)> {
        let mut fields = Vec::new();
        loop {
            self.spaces();
            if self.eat('}') {
                return fields;
            }
            let key = self.atom();
            let value = if self.eat(':') { self.word() } else { Word::Atom("true".into()) };
            fields.push((key, value));
            self.spaces();
            self.eat(',');
        }
    }

    fn word(&mut self) -> Word {
        self.spaces();
        if self.eat('"') {
            let end = self.rest.find('"').expect("a closing quote");
            let (text, rest) = self.rest.split_at(end);
            self.rest = &rest[1..];
            return Word::Text(text.into());
        }
        if self.eat('[') { Word::List(self.list()) } else { Word::Atom(self.atom()) }
    }

    fn list(&mut self) -> Vec<Vec<Word>> {
        let (mut items, mut item) = (Vec::new(), Vec::new());
        loop {
            self.spaces();
            if self.eat(']') {
                items.extend((!item.is_empty()).then_some(item));
                return items;
            }
            if self.eat(',') {
                items.push(std::mem::take(&mut item));
            } else {
                item.push(self.word());
            }
        }
    }

    fn atom(&mut self) -> String {
        let end = self.rest.find([' ', ',', ':', '[', ']', '{', '}', '"']).unwrap_or(self.rest.len());
        assert!(end > 0, "a word before `{}`", self.rest);
        let (atom, rest) = self.rest.split_at(end);
        self.rest = rest;
        atom.to_owned()
    }

    fn spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, c: char) -> bool {
        let rest = self.rest.strip_prefix(c);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }
}
