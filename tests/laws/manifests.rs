//! Manifests of BOSH over one small release, right and wrong in what they say of links.

use std::collections::BTreeMap;

use proptest::{collection::vec, option, prelude::*, sample::select};
use serde_json::{Map, Value as Json, json};
use workspace::File;

/// Names and types.
type Provides = &'static [(&'static str, &'static str)];
/// Names, types and whether the job can do without.
type Consumes = &'static [(&'static str, &'static str, bool)];

/// The specs: job, what it provides and what it consumes.
pub(crate) const SPECS: [(&str, Provides, Consumes); 7] = [
    ("store", &[("kv", "kv")], &[]),
    ("cache", &[("kv-cache", "kv")], &[]),
    ("twin", &[("kv-a", "kv"), ("kv-b", "kv")], &[]),
    ("queue", &[("kv", "queue")], &[]),
    ("api", &[], &[("backend", "kv", false)]),
    ("web", &[], &[("main", "kv", false), ("spare", "queue", true)]),
    ("peer", &[("mesh", "mesh")], &[("mesh", "mesh", true)]),
];

const NAMES: [&str; 5] = ["kv", "kv-cache", "mesh", "one", "two"];

/// The `provides` entry of a provider.
#[derive(Clone, Debug)]
pub(crate) enum Provide {
    Nil,
    As(&'static str),
}

/// The `consumes` entry of a consumer.
#[derive(Clone, Debug)]
pub(crate) enum Consume {
    Nil,
    From(&'static str),
    Own,
    Manual,
}

/// One job of one group.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) group: usize,
    pub(crate) spec: usize,
    pub(crate) provides: Vec<Option<Provide>>,
    pub(crate) consumes: Vec<Option<Consume>>,
}

/// A manifest.
#[derive(Clone, Debug)]
pub(crate) struct Manifest {
    pub(crate) jobs: Vec<Job>,
}

fn provide() -> impl Strategy<Value = Provide> {
    prop_oneof![Just(Provide::Nil), select(&NAMES[..]).prop_map(Provide::As)]
}

fn consume() -> impl Strategy<Value = Consume> {
    prop_oneof![
        Just(Consume::Nil),
        select(&NAMES[..]).prop_map(Consume::From),
        select(&NAMES[..]).prop_map(Consume::From),
        Just(Consume::Own),
        Just(Consume::Manual),
    ]
}

fn job(group: usize) -> impl Strategy<Value = Job> {
    let said = (vec(option::weighted(0.3, provide()), 2), vec(option::weighted(0.4, consume()), 2));
    (0..SPECS.len(), said).prop_map(move |(spec, (provides, consumes))| Job {
        group,
        spec,
        provides,
        consumes,
    })
}

impl Manifest {
    /// Any site: one job a group, so that no job is twice in one.
    pub(crate) fn any() -> impl Strategy<Value = Self> {
        (1..7usize)
            .prop_flat_map(|count| (0..count).map(job).collect::<Vec<_>>())
            .prop_map(|jobs| Self { jobs })
    }

    /// It as a manifest; groups in the order of `jobs`.
    pub(crate) fn manifest(&self) -> String {
        let groups: Vec<Json> = self.jobs.iter().map(group).collect();
        format!("{:#}\n", json!({"name": "d", "instance_groups": groups}))
    }

    /// The specs as files.
    pub(crate) fn releases() -> Vec<File> {
        let file = |(job, provides, consumes): &(&str, Provides, Consumes)| {
            let provides: Vec<Json> =
                provides.iter().map(|(name, kind)| json!({"name": name, "type": kind})).collect();
            let consumes = consumes
                .iter()
                .map(|(name, kind, optional)| json!({"name": name, "type": kind, "optional": optional}));
            let spec = json!({"name": job, "provides": provides, "consumes": consumes.collect::<Vec<_>>()});
            File { name: format!("r__{job}.yml"), text: format!("{spec:#}\n"), package: None }
        };
        SPECS.iter().map(file).collect()
    }

    /// The result for each consumer by the rules, worked out one by one: by group and link, the outcome, and the
    /// groups and names of the candidates.
    pub(crate) fn expected(&self) -> BTreeMap<(String, String), (&'static str, Vec<String>)> {
        let mut expected = BTreeMap::new();
        for job in &self.jobs {
            for (n, (name, kind, optional)) in SPECS[job.spec].2.iter().enumerate() {
                let outcome = self.outcome(name, kind, *optional, job.consumes[n].as_ref());
                expected.insert((format!("g{}", job.group), (*name).to_owned()), outcome);
            }
        }
        expected
    }

    fn outcome(
        &self,
        name: &str,
        kind: &str,
        optional: bool,
        said: Option<&Consume>,
    ) -> (&'static str, Vec<String>) {
        let wanted = match said {
            Some(Consume::Manual) => return ("manual", Vec::new()),
            Some(Consume::Nil) if optional => return ("absent", Vec::new()),
            Some(Consume::Nil) => return ("blocked", Vec::new()),
            Some(Consume::From(from)) => Some(*from),
            Some(Consume::Own) => Some(name),
            None => None,
        };
        let found: Vec<String> = self.providers(kind, wanted);
        match found.len() {
            1 => ("linked", found),
            0 if optional && wanted.is_none() => ("absent", found),
            0 => ("none_found", found),
            _ => ("ambiguous", found),
        }
    }

    fn providers(&self, kind: &str, wanted: Option<&str>) -> Vec<String> {
        let all = self.jobs.iter().flat_map(|job| {
            SPECS[job.spec].1.iter().enumerate().map(move |(n, it)| (job, it, job.provides[n].as_ref()))
        });
        let fitting = all.filter(|(_, (name, its), said)| {
            let known = match said {
                Some(Provide::Nil) => return false,
                Some(Provide::As(alias)) => alias,
                None => name,
            };
            *its == kind && wanted.is_none_or(|wanted| wanted == *known)
        });
        fitting.map(|(job, (name, _), _)| format!("g{}/{name}", job.group)).collect()
    }
}

fn group(job: &Job) -> Json {
    let (name, provides, consumes) = SPECS[job.spec];
    let mut it = json!({"name": name, "release": "r"});
    let said = provides.iter().zip(&job.provides).filter_map(|((name, _), said)| {
        let said = match said.as_ref()? {
            Provide::Nil => json!("nil"),
            Provide::As(alias) => json!({"as": alias}),
        };
        Some(((*name).to_owned(), said))
    });
    put(&mut it, "provides", said.collect());
    let said = consumes.iter().zip(&job.consumes).filter_map(|((name, ..), said)| {
        let said = match said.as_ref()? {
            Consume::Nil => json!("nil"),
            Consume::From(from) => json!({"from": from}),
            Consume::Own => json!({}),
            Consume::Manual => json!({"instances": []}),
        };
        Some(((*name).to_owned(), said))
    });
    put(&mut it, "consumes", said.collect());
    json!({"name": format!("g{}", job.group), "instances": 1, "networks": [{"name": "net"}], "jobs": [it]})
}

fn put(job: &mut Json, key: &str, said: Map<String, Json>) {
    if !said.is_empty() {
        job[key] = Json::Object(said);
    }
}
