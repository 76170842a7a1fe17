use std::rc::Rc;

use api::{Completion, Match, Problem};
use http::{Request, Uri, request::Parts};

use serde_json::Value;
use spec::{KindId, Method, StandardMethod};

use super::{
    custom, method,
    parameters::{self, Parameters, no_method, wrong_encoding},
    problem::{no_name, of_name},
    resource,
    response::{ResponseConversion, ResponseShape},
};
use crate::{Conversion, Direction, KindConversion, ParentUse};

/// A request to a method of an old version.
pub(super) struct Call {
    pub(super) conversion: Rc<Conversion>,
    pub(super) old: Match,
    /// The resource type of the method, in the old version.
    pub(super) kind: Option<KindId>,
    standard: Option<StandardMethod>,
}

/// A request to the new version, and the way back for its response.
pub(super) struct Converted {
    pub(super) found: Match,
    pub(super) request: Request<Vec<u8>>,
    pub(super) response: ResponseConversion,
}

impl Call {
    pub(super) fn of(conversion: Rc<Conversion>, old: Match) -> Result<Self, Problem> {
        let method = method(&conversion.services, &old).ok_or_else(gone)?;
        let (kind, standard) = (method.kind, method.standard);
        Ok(Self { conversion, old, kind, standard })
    }

    pub(super) fn old_method(&self) -> Option<&Method> {
        method(&self.conversion.services, &self.old)
    }

    pub(super) fn kind(&self) -> Option<KindConversion<'_>> {
        self.conversion.of_kind(self.kind?)
    }

    /// The method of the new version, with the names of the path.
    pub(super) fn found(&self) -> Result<Match, Problem> {
        let Some(standard) = self.standard else { return custom::found(self) };
        let found = self.standard_method(standard);
        let name = || no_method(self.old_method().map_or("", |it| &it.name));
        let found = found.ok_or_else(name)?;
        let fields = self.old.fields.iter().map(|(field, text)| self.path_field(field, text, standard));
        Ok(Match { fields: fields.collect::<Result<_, _>>()?, ..found })
    }

    /// The same standard method of the counterpart.
    fn standard_method(&self, standard: StandardMethod) -> Option<Match> {
        let new = self.kind()?.kind.new;
        let service = self.conversion.services.services.get(new.service)?;
        let api = service.apis.iter().position(|it| it.kind == Some(new.kind))?;
        let methods = &service.apis.get(api)?.methods;
        let method = methods.iter().position(|it| it.standard == Some(standard))?;
        Some(Match { service: new.service, api, method, route: 0, fields: Vec::new() })
    }

    fn path_field(
        &self,
        field: &str,
        text: &str,
        standard: StandardMethod,
    ) -> Result<(String, String), Problem> {
        let Some(kind) = self.kind() else { return Ok((field.to_owned(), text.to_owned())) };
        if field == "parent" {
            let used = if standard == StandardMethod::Create { ParentUse::Create } else { ParentUse::List };
            return Ok((field.to_owned(), parent(kind, text, used)?));
        }
        Ok((field.to_owned(), parameters::name(kind, "name", text)?))
    }

    /// The request to the new version.
    pub(super) fn convert(self, mut head: Parts, body: &[u8]) -> Result<Converted, Problem> {
        let mut found = self.found()?;
        let Some(standard) = self.standard else { return custom::convert(self, found, head, body) };
        let Some(kind) = self.kind() else { return Err(gone()) };
        self.add_root_parent(kind, standard, &mut found)?;
        let sent = Sent::read(standard, &head, body)?;
        let query = api::query_pairs(head.uri.query().unwrap_or_default()).ok_or_else(wrong_encoding)?;
        let mut parameters = Parameters::new(kind, query, sent.parameters());
        let converted = parameters.converted()?;
        let (query, body) = match sent {
            Sent::Resource(resource) => {
                let is_whole = !parameters.has_update_mask;
                let resource = resource.map(|it| resource::converted(kind, &it, is_whole)).transpose()?;
                (
                    parameters::query(&converted),
                    resource.map_or_else(Vec::new, |it| it.to_string().into_bytes()),
                )
            }
            Sent::Parameters(_) => (String::new(), parameters::body(converted).to_string().into_bytes()),
            Sent::Other => (parameters::query(&converted), body.to_vec()),
        };
        head.uri = with_query(&head.uri, &query);
        if standard == StandardMethod::Update {
            head.extensions.insert(self.completion()?);
        }
        let response = ResponseConversion {
            shape: ResponseShape::Standard(standard),
            selected: parameters.selected.take(),
            kind: self.kind,
            conversion: self.conversion.clone(),
        };
        Ok(Converted { found, request: Request::from_parts(head, body), response })
    }

    /// Paths at the root have no parent, where the counterpart may have one.
    fn add_root_parent(
        &self,
        kind: KindConversion<'_>,
        standard: StandardMethod,
        found: &mut Match,
    ) -> Result<(), Problem> {
        let is_of_collection = match standard {
            StandardMethod::List
            | StandardMethod::Search
            | StandardMethod::WatchCollection
            | StandardMethod::Create => true,
            StandardMethod::Get
            | StandardMethod::BatchGet
            | StandardMethod::Watch
            | StandardMethod::Update
            | StandardMethod::Delete => false,
        };
        if is_of_collection && !found.fields.iter().any(|(field, _)| field == "parent") {
            let used = if standard == StandardMethod::Create { ParentUse::Create } else { ParentUse::List };
            let parent = parent(kind, "", used)?;
            found.fields.push(("parent".to_owned(), parent));
        }
        Ok(())
    }

    /// What keeps the fields of the new version when a resource is changed through the old one.
    fn completion(&self) -> Result<Completion, Problem> {
        let (conversion, kind) = (Conversion::clone(&self.conversion), self.kind.ok_or_else(gone)?);
        Ok(Completion::new(move |stored, changed| {
            if let Some(kind) = conversion.of_kind(kind) {
                kind.keep_unknown(stored, changed);
            }
        }))
    }
}

/// What a request has besides its path and its query.
enum Sent {
    /// The resource that is written.
    Resource(Option<Value>),
    /// The fields of the request.
    Parameters(Value),
    /// Nothing, or what the new version refuses.
    Other,
}

impl Sent {
    fn read(standard: StandardMethod, head: &Parts, body: &[u8]) -> Result<Self, Problem> {
        let sent = api::read_body(head, body)?;
        let takes_resource = matches!(standard, StandardMethod::Create | StandardMethod::Update);
        Ok(match sent {
            sent if takes_resource => Self::Resource(sent),
            Some(sent @ Value::Object(_)) => Self::Parameters(sent),
            Some(_) | None => Self::Other,
        })
    }

    fn parameters(&self) -> Option<Value> {
        match self {
            Self::Parameters(parameters) => Some(parameters.clone()),
            Self::Resource(_) | Self::Other => None,
        }
    }
}

fn parent(kind: KindConversion<'_>, text: &str, used: ParentUse) -> Result<String, Problem> {
    if let Some(old) = kind.old_kind() {
        old.patterns.parse_parent(text).map_err(|error| of_name("parent", &error))?;
    }
    kind.parent(Direction::ToNew, text, used).ok_or_else(|| no_name("parent", text))
}

/// An address with another query. The path is not used any more.
pub(super) fn with_query(uri: &Uri, query: &str) -> Uri {
    let text = if query.is_empty() { uri.path().to_owned() } else { format!("{}?{query}", uri.path()) };
    text.parse().unwrap_or_default()
}

pub(super) fn gone() -> Problem {
    Problem::internal("the method no longer exists")
}
