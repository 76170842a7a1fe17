use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use fastrand::Rng;

/// Services of which each runs a program that can be told apart from all others, some with secrets.
#[derive(Clone, Debug, Default)]
pub(crate) struct App {
    deployment: String,
    services: BTreeMap<String, Service>,
    /// Earlier names of services, each with the next one.
    moved: Vec<(String, String)>,
    /// The programs of services that got another name in the last change.
    renamed: BTreeSet<u32>,
    /// Never used twice, so that an old program can be told apart from a new one.
    next: u32,
}

#[derive(Clone, Debug)]
struct Service {
    payload: String,
    /// The digits after the point of the time that it sleeps, which distinguish it from others.
    number: u32,
    secret: String,
    /// In its environment, where it can be changed; a change replaces the service.
    token: Option<String>,
    needs: BTreeSet<String>,
}

impl App {
    /// An app of that many services in a random order of need.
    pub(crate) fn new(deployment: &str, services: usize, random: &mut Rng) -> Self {
        let mut app = Self { deployment: deployment.to_owned(), next: 1, ..Self::default() };
        (0..services).for_each(|_| app.add(random));
        app
    }

    fn add(&mut self, random: &mut Rng) {
        let needs = self.services.keys().filter(|_| random.u8(..4) == 0).cloned().collect();
        let number = self.number();
        let token = random.bool().then(|| secret(random));
        let service = Service { payload: format!("p{number}"), number, secret: secret(random), token, needs };
        self.services.insert(format!("s{number}"), service);
    }

    fn number(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    /// Something else of the same name: some services are new, some other, some gone, and some have another name.
    pub(crate) fn change(&mut self, random: &mut Rng) {
        self.renamed.clear();
        for name in self.services.keys().cloned().collect::<Vec<_>>() {
            match random.u8(..7) {
                0 if self.services.len() > 1 => self.remove(&name),
                1 => {
                    let number = self.number();
                    self.services.entry(name).and_modify(|it| it.number = number);
                }
                2 => {
                    self.services.entry(name).and_modify(|it| it.secret = secret(random));
                }
                3 => self.rename(&name),
                _ => {}
            }
        }
        self.add(random);
    }

    fn rename(&mut self, name: &str) {
        let new = format!("r{}", self.number());
        let Some(service) = self.services.remove(name) else { return };
        self.renamed.insert(service.number);
        self.services.insert(new.clone(), service);
        for it in self.services.values_mut().filter(|it| it.needs.contains(name)) {
            it.needs.remove(name);
            it.needs.insert(new.clone());
        }
        self.moved.push((name.to_owned(), new));
    }

    /// The arguments of the programs whose services were renamed in the last change.
    pub(crate) fn renamed(&self, mark: u32) -> BTreeSet<String> {
        self.renamed.iter().map(|number| sleep(mark, *number)).collect()
    }

    fn remove(&mut self, name: &str) {
        self.services.remove(name);
        self.services.values_mut().for_each(|it| it.needs.retain(|other| other != name));
        // A name that leads to nothing is an error, and so are those that lead there.
        let mut gone = vec![name.to_owned()];
        while let Some(end) = gone.pop() {
            gone.extend(self.moved.extract_if(.., |(_, to)| *to == end).map(|(from, _)| from));
        }
    }

    pub(crate) fn deployment(&self) -> &str {
        &self.deployment
    }

    /// Every secret that is in it now.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        self.services.values().flat_map(|it| [Some(&*it.secret), it.token.as_deref()]).flatten()
    }

    /// The addresses of the services.
    pub(crate) fn addresses(&self) -> BTreeSet<String> {
        self.services.keys().map(|name| format!("services.{name}")).collect()
    }

    /// The arguments of the programs that run, one for each service.
    pub(crate) fn programs(&self, mark: u32) -> BTreeSet<String> {
        self.services.values().map(|it| sleep(mark, it.number)).collect()
    }

    /// As a descriptor.
    pub(crate) fn yaml(&self, mark: u32) -> String {
        let mut text = format!("meta: {{name: {}}}\npayloads:\n", self.deployment);
        for Service { payload, number, secret, token, .. } in self.services.values() {
            let token = token.as_ref().map(|it| format!(", env: {{API_TOKEN: {it}}}")).unwrap_or_default();
            let _infallible = writeln!(
                text,
                "  {payload}: {{runtime: process, params: {{command: [/bin/sleep, \"{}\"], secrets: {{PASSPHRASE: {secret}}}{token}}}}}",
                sleep(mark, *number)
            );
        }
        text.push_str("services:\n");
        for (name, Service { payload, needs, .. }) in &self.services {
            let needs = needs.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
            let _infallible = writeln!(text, "  {name}: {{payload: {payload}, depends_on: [{needs}]}}");
        }
        let moved =
            self.moved.iter().map(|(from, to)| format!("{{from: services.{from}, to: services.{to}}}"));
        text + &format!("moved: [{}]\n", moved.collect::<Vec<_>>().join(", "))
    }
}

/// The argument of `sleep`: long enough for every round, and used by no other program.
fn sleep(mark: u32, number: u32) -> String {
    format!("100000.{mark:08}{number:04}")
}

/// A text that is nowhere by accident.
fn secret(random: &mut Rng) -> String {
    let letters: String = (0..20).map(|_| random.alphanumeric()).collect();
    format!("Zq{letters}")
}
