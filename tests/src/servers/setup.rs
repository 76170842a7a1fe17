/// The servers of a page: a line `NAME serves FILE`, for another region than its name `NAME in REGION serves FILE`, with `imports
/// FILE` behind it for a specification that the server does not serve. `control REGION` is the control region of services that
/// are in several, and `log NUMBER` the number of changes that the log of each store has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The servers in the order of the page.
    pub servers: Vec<ServerSetup>,
    /// The control region.
    pub control: String,
    /// The number of changes in the log of each store; `None` for the default.
    pub log: Option<usize>,
}

/// A server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerSetup {
    /// The name that steps have for it.
    pub name: String,
    /// Its region.
    pub region: String,
    /// The files of the services that it serves.
    pub serves: Vec<String>,
    /// The files of services that it only imports.
    pub imports: Vec<String>,
}

impl Setup {
    /// The setup of a text.
    ///
    /// # Panics
    /// If a line has another form.
    pub fn parse(text: &str) -> Self {
        let mut setup = Self::default();
        for line in text.lines().filter(|it| !it.trim().is_empty()) {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["control", region] => setup.control = region.to_owned(),
                ["log", number] => setup.log = Some(number.parse().expect("a number of changes")),
                [name, "in", region, "serves", ref files @ ..] => {
                    setup.servers.push(server(name, region, files));
                }
                [name, "serves", ref files @ ..] => setup.servers.push(server(name, name, files)),
                _ => panic!("`{line}` is no server"),
            }
        }
        setup
    }
}

fn server(name: &str, region: &str, files: &[&str]) -> ServerSetup {
    let mut parts = files.split(|it| *it == "imports");
    let mut files = || parts.next().unwrap_or_default().iter().map(|it| (*it).to_owned()).collect();
    ServerSetup { name: name.to_owned(), region: region.to_owned(), serves: files(), imports: files() }
}
