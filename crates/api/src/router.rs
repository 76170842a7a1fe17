//! Finding the method of a request, by the rules of `google.api.http`.
//!
//! Paths have collections and ids by turns, so most are found by their collections alone; only where ids may contain `/` the
//! patterns are tried one by one. The ids of a name are decided by the patterns of its kind, not by the path.

mod template;

use std::collections::{BTreeMap, BTreeSet};

use http::Method as HttpMethod;
use names::Pattern;
use protocol::percent_decoded;
use spec::{Method, Route, Service, Services};

use crate::Problem;
use template::Template;

/// The routes of some services.
#[derive(Clone, Debug, Default)]
pub struct Router {
    routes: Vec<Entry>,
    /// By verb and collections, the routes whose ids contain no slashes.
    quick: BTreeMap<(String, Shape), Vec<usize>>,
    /// By verb, the others.
    slow: BTreeMap<String, Vec<usize>>,
}

/// A route.
#[derive(Clone, Debug)]
struct Entry {
    http: String,
    template: Template,
    /// The places of the service, the API and the method.
    method: (usize, usize, usize),
    route: usize,
}

/// The number of segments and those that are no ids.
type Shape = (usize, Vec<String>);

/// The method of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The place of the service among the served ones.
    pub service: usize,
    /// The place of the API in the service.
    pub api: usize,
    /// The place of the method in the API.
    pub method: usize,
    /// The place of the route in the method.
    pub route: usize,
    /// The fields that the path has, by their paths in the request: texts, decoded.
    pub fields: Vec<(String, String)>,
}

/// A request without method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Miss {
    /// Nothing is at the path.
    Path,
    /// Its encoding is wrong.
    Encoding,
    /// There are methods at the path, by these methods of HTTP.
    HttpMethod(Vec<String>),
}

impl Miss {
    /// The problem of the response.
    pub fn problem(self, method: &HttpMethod, path: &str) -> Problem {
        match self {
            Self::Path => Problem::not_found(format!("no method has the path `{path}`")),
            Self::Encoding => Problem::invalid_argument(format!("the path `{path}` is encoded wrongly")),
            Self::HttpMethod(allowed) => {
                let detail = format!("`{path}` is for {}, not {method}", allowed.join(", "));
                Problem { allowed, ..Problem::method_not_allowed(detail) }
            }
        }
    }
}

impl Router {
    /// The routes of all services that are not only imported.
    pub fn new(services: &Services) -> Self {
        let mut router = Self::default();
        for (at, service) in services.services.iter().enumerate().filter(|(_, it)| !it.is_import) {
            router.add_service(at, service, services);
        }
        router
    }

    fn add_service(&mut self, at: usize, service: &Service, services: &Services) {
        for (api_at, api) in service.apis.iter().enumerate() {
            for (method_at, method) in api.methods.iter().enumerate() {
                for (route_at, route) in method.routes.iter().enumerate() {
                    let template = Template::parse(&route.path, &patterns(method, services));
                    self.add((at, api_at, method_at), route_at, route, template);
                }
            }
        }
    }

    fn add(&mut self, method: (usize, usize, usize), at: usize, route: &Route, template: Template) {
        let number = self.routes.len();
        let verb = template.verb.clone();
        match template.shape() {
            Some(shape) => self.quick.entry((verb, shape)).or_default().push(number),
            None => self.slow.entry(verb).or_default().push(number),
        }
        self.routes.push(Entry { http: route.method.to_string(), template, method, route: at });
    }

    /// The method of a request. Of several, the one that is declared first.
    ///
    /// # Errors
    /// There is none.
    pub fn find(&self, http: &HttpMethod, path: &str) -> Result<Match, Miss> {
        let mut others = BTreeSet::new();
        for (path, verb) in readings(path) {
            let segments: Vec<&str> = path.split('/').collect();
            for number in self.candidates(verb, &segments) {
                let Some(entry) = self.routes.get(number) else { continue };
                let Some(fields) = entry.template.read(path) else { continue };
                if entry.http != http.as_str() {
                    others.insert(entry.http.clone());
                    continue;
                }
                let decoded = fields.into_iter().map(|(field, text)| Some((field, percent_decoded(text)?)));
                let fields = decoded.collect::<Option<Vec<_>>>().ok_or(Miss::Encoding)?;
                let (service, api, method) = entry.method;
                return Ok(Match { service, api, method, route: entry.route, fields });
            }
        }
        match others.is_empty() {
            true => Err(Miss::Path),
            false => Err(Miss::HttpMethod(others.into_iter().collect())),
        }
    }

    /// The routes that a path can be of, first those that are declared first.
    fn candidates(&self, verb: &str, segments: &[&str]) -> Vec<usize> {
        let shapes = template::shapes(segments);
        let quick = shapes.into_iter().filter_map(|shape| self.quick.get(&(verb.to_owned(), shape)));
        let slow = self.slow.get(verb);
        let mut all: Vec<usize> = quick.chain(slow).flatten().copied().collect();
        all.sort_unstable();
        all
    }
}

/// A path with its verb, and the path as a whole: an id may contain a colon.
fn readings(path: &str) -> Vec<(&str, &str)> {
    let split = path.rsplit_once(':').filter(|(_, verb)| !verb.contains('/'));
    split.into_iter().chain([(path, "")]).collect()
}

/// The patterns that variables of a method's paths can have: names of its kind and of their parents.
fn patterns(method: &Method, services: &Services) -> Vec<Pattern> {
    let kind = method.kind.and_then(|it| services.kind(it));
    let names = kind.into_iter().flat_map(|it| it.patterns.0.iter().cloned());
    names.flat_map(|it| [it.parent(), Some(it)]).flatten().collect()
}
