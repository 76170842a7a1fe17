//! Paths of routes as OpenAPI writes them: a variable is one id.

use spec::{Kind, Method, Route};

use crate::{Definition, regex};

/// A path with its variables.
#[derive(Clone, Debug)]
pub(super) struct Template {
    /// `/v1/projects/{project}/secrets/{secret}:rotate`
    pub(super) text: String,
    /// The same without the names of variables, which do not distinguish paths.
    pub(super) form: String,
    /// The variables, in order.
    pub(super) variables: Vec<Variable>,
}

/// The fields of the request that the path of a route has: `parent`, `secret.name`.
pub(super) fn fields(route: &Route) -> impl Iterator<Item = &str> {
    let variables =
        route.path.split('{').skip(1).map(|it| it.split_once('}').map_or(it, |(variable, _)| variable));
    variables.map(|it| it.split_once('=').map_or(it, |(field, _)| field))
}

/// A variable of a path: the id of a resource.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    /// The collection that the id belongs to, if it is known.
    pub(super) collection: String,
    /// The pattern of the id, if JavaScript has this expression; the wildcard `-` besides.
    pub(super) pattern: Option<String>,
    /// Ids may contain `/`.
    pub(super) slash: bool,
}

impl Template {
    pub(super) fn of(route: &Route, method: &Method, it: Definition<'_>) -> Self {
        let mut template = Self { text: String::new(), form: String::new(), variables: Vec::new() };
        let mut rest = &*route.path;
        while let Some((head, tail)) = rest.split_once('{') {
            template.literal(head);
            let (variable, after) = tail.split_once('}').unwrap_or((tail, ""));
            template.field(variable, method, it);
            rest = after;
        }
        template.literal(rest);
        template
    }

    fn literal(&mut self, text: &str) {
        self.text.push_str(text);
        self.form.push_str(text);
    }

    /// `name=projects/*/secrets/*`, or `name`.
    fn field(&mut self, variable: &str, method: &Method, it: Definition<'_>) {
        let (field, pattern) = variable.split_once('=').unwrap_or((variable, "*"));
        let mut collection = "";
        for (at, segment) in pattern.split('/').enumerate() {
            if at > 0 {
                self.literal("/");
            }
            match segment {
                "*" | "**" => {
                    let found = find(collection, field, method, it);
                    self.variable(found);
                }
                literal => {
                    self.literal(literal);
                    collection = literal;
                }
            }
        }
    }

    /// Variables of one path have different names.
    fn variable(&mut self, mut variable: Variable) {
        let (name, mut number) = (variable.name.clone(), 2);
        while self.variables.iter().any(|it| it.name == variable.name) {
            variable.name = format!("{name}_{number}");
            number += 1;
        }
        self.text += &format!("{{{}}}", variable.name);
        self.form.push_str("{}");
        self.variables.push(variable);
    }
}

/// The id that belongs to a collection: of the names of the kind that a method operates on, or of any kind.
fn find(collection: &str, field: &str, method: &Method, it: Definition<'_>) -> Variable {
    let segment = |kind: &'_ Kind| {
        let mut segments = kind.patterns.0.iter().flat_map(|it| it.segments());
        segments.find(|it| &*it.collection == collection).cloned()
    };
    let own = it.kind_of(method).into_iter();
    let all = it.services.kinds().map(|(_, kind)| kind);
    match own.chain(&it.service.kinds).chain(all).find_map(segment) {
        Some(segment) => Variable {
            name: segment.variable.to_string(),
            collection: collection.to_owned(),
            pattern: regex::whole(&format!("-|{}", segment.id.as_str())),
            slash: segment.id.allows_slash(),
        },
        None => Variable {
            name: singular(collection, field),
            collection: collection.to_owned(),
            pattern: None,
            slash: false,
        },
    }
}

/// A name for the id of a collection of which nothing is known.
fn singular(collection: &str, field: &str) -> String {
    let name = match collection.is_empty() {
        true => field.replace('.', "_"),
        false => collection.strip_suffix('s').unwrap_or(collection).to_owned(),
    };
    match name.is_empty() {
        true => "id".to_owned(),
        false => name,
    }
}
