//! The access policy of a served API, and the tokens of its users.

use report::codes;
use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    path::Path,
    sync::Arc,
};

use authorization::{Known, Policy, Role, TokenDigest, TokenSource, User};
use diag::{Source, Sources, Span};
use host::UserAuth;
use spec::{Service, Services};
use workspace::{
    File,
    capability::diagnostic_views,
    view::{DiagnosticView, Severity},
};

use crate::files::{Stdin, name, read_text};
use crate::problem::problem;

/// The length of a token below which it is refused, in bytes, as for the server's own token.
const SHORTEST: usize = 16;

/// A policy, with the users whose tokens are known.
pub(super) struct AccessPolicy {
    pub(super) policy: Policy,
    pub(super) auth: UserAuth,
    /// Warnings.
    pub(super) problems: Vec<DiagnosticView>,
    pub(super) text: File,
}

/// The reasons that there is none, with the text that the problems are in.
pub(super) struct Refused {
    pub(super) problems: Vec<DiagnosticView>,
    pub(super) text: Option<File>,
}

/// Reads a policy for the permissions and roles of the served services.
pub(super) fn read(stdin: &mut Stdin, path: &Path, services: &Services) -> Result<AccessPolicy, Refused> {
    let text = read_text(stdin, path).map_err(|problem| Refused { problems: vec![*problem], text: None })?;
    policy_of(path, text, services)
}

/// The policy that a text is.
pub(super) fn policy_of(path: &Path, text: String, services: &Services) -> Result<AccessPolicy, Refused> {
    let (mut sources, name) = (Sources::new(), name(path));
    let file = sources.add(Source::new(&*name, &*text));
    let is_name = |name: &str| is_name(services, name);
    let known = Known { is_name: Some(&is_name), ..known(services) };
    let parsed = syntax::parse(file, &text, &syntax::Limits::default());
    let (policy, found) = authorization::read(&parsed.document, Span::at(file, 0), &known);
    let found: Vec<_> = parsed.diagnostics.into_iter().chain(found).collect();
    let mut problems = diagnostic_views(&sources, &found);
    let text = File { name, text, package: None };
    let users = tokens(&policy.users, &mut problems);
    match problems.iter().any(|it| it.severity == Severity::Error) {
        true => Err(Refused { problems, text: Some(text) }),
        false => Ok(AccessPolicy { policy, auth: UserAuth::new(users), problems, text }),
    }
}

/// The permissions and roles of services, for policies to refer to.
fn known(services: &Services) -> Known<'static> {
    let served: Vec<_> = services.services.iter().filter(|it| !it.is_import).collect();
    let permissions = served.iter().flat_map(|it| permissions(it)).collect();
    Known { permissions, roles: roles(&served), is_name: None }
}

/// The roles that services have. Versions of a service have the same ones: a role has a permission if it has it in each version
/// that knows the permission.
fn roles(served: &[&Service]) -> BTreeMap<Arc<str>, Role> {
    let mut roles: BTreeMap<Arc<str>, [BTreeSet<Arc<str>>; 2]> = BTreeMap::new();
    for service in served {
        let all = permissions(service);
        for role in generate::default_roles(service) {
            let own: BTreeSet<Arc<str>> = role.permissions.iter().map(|it| it.as_str().into()).collect();
            let [granted, refused] = roles.entry(role.name.into()).or_default();
            refused.extend(all.difference(&own).cloned());
            granted.extend(own);
        }
    }
    let role = |[granted, refused]: [BTreeSet<Arc<str>>; 2]| Role { permissions: &granted - &refused };
    roles.into_iter().map(|(name, permissions)| (name, role(permissions))).collect()
}

/// The permissions of a service in full.
fn permissions(service: &Service) -> BTreeSet<Arc<str>> {
    let all = spec::permissions(service).into_iter();
    all.map(|it| Arc::from(spec::permission_name(&service.name, &it))).collect()
}

/// True if a text is the name of a resource, of any kind.
fn is_name(services: &Services, name: &str) -> bool {
    services.kinds().any(|(_, kind)| kind.patterns.parse_concrete(name).is_ok())
}

/// The digests of the tokens of users. Reports variables that have none, and those with the token of another user.
fn tokens(users: &[User], problems: &mut Vec<DiagnosticView>) -> Vec<(TokenDigest, Arc<str>)> {
    let digest = |user: &User| match user.token {
        TokenSource::Digest(digest) => Some((digest, user.name.clone())),
        TokenSource::Variable(_) => None,
    };
    let mut tokens: Vec<(TokenDigest, Arc<str>)> = users.iter().filter_map(digest).collect();
    for user in users {
        match &user.token {
            TokenSource::Digest(_) => {}
            TokenSource::Variable(variable) => match env::var(&**variable) {
                Ok(token) if !token.is_empty() => {
                    problems
                        .extend((token.len() < SHORTEST).then(|| short_token(&user.name, variable, &token)));
                    let digest = TokenDigest::of(&token);
                    let first = tokens.iter().find(|(it, name)| *it == digest && *name != user.name);
                    problems.extend(first.map(|(_, first)| same_token(&user.name, variable, first)));
                    tokens.push((digest, user.name.clone()));
                }
                _ => problems.push(no_token(&user.name, variable)),
            },
        }
    }
    tokens
}

fn same_token(user: &str, variable: &str, first: &str) -> DiagnosticView {
    let message = format!("the user `{user}` has the same token in `{variable}` as `{first}`");
    problem(codes::DUPLICATE, None, message, "give each user a token of its own")
}

fn short_token(user: &str, variable: &str, token: &str) -> DiagnosticView {
    let length = token.chars().count();
    let message =
        format!("the token of `{user}` in `{variable}` has {length} characters, and can be guessed");
    let help = format!("use at least {SHORTEST} random ones, such as the output of `openssl rand -hex 32`");
    problem(codes::SHORT_TOKEN, None, message, help)
}

fn no_token(user: &str, variable: &str) -> DiagnosticView {
    let message = format!("the token of `{user}` is not known: `{variable}` is not set");
    problem(codes::NO_TOKEN, None, message, format!("set the environment variable `{variable}` to the token"))
}
