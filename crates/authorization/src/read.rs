//! Access policies as they are written.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use diag::{Diagnostic, Diagnostics, Span, nearest};
use syntax::{Document, Node};

use crate::{
    Binding, Known, Policy, Role, Scope, TokenDigest, TokenSource, User,
    codes::{
        DUPLICATE, EMPTY, MISSING_KEY, NAME, SCOPE, TOKEN, UNKNOWN_PERMISSION, UNKNOWN_ROLE, UNKNOWN_USER,
        UNUSED,
    },
    keys::{Keys, Text},
};

/// Reads a policy. `file` is where the document was read from.
///
/// Never fails: what cannot be read is reported, and grants nothing.
pub fn read(document: &Document, file: Span, known: &Known<'_>) -> (Policy, Diagnostics) {
    let mut report = Diagnostics::new();
    let Some(root) = &document.root else {
        let empty = Diagnostic::error(EMPTY, file, "the access policy is empty");
        report.push(empty.help("write `users:` and `bindings:`"));
        return (Policy::default(), report);
    };
    let keys = Keys::of(root, "an access policy", &["users", "roles", "bindings"], &mut report);
    let mut reading = Reading { known, policy: Policy::default(), tokenless: BTreeSet::new(), report };
    if let Some(keys) = keys {
        reading.read(&keys);
    }
    (reading.policy, reading.report)
}

/// The user who has a token first, and the place where it is written.
type Tokens<'a> = BTreeMap<TokenSource, (&'a str, Span)>;

struct Reading<'a> {
    known: &'a Known<'a>,
    policy: Policy,
    /// The users that are declared and whose token cannot be read.
    tokenless: BTreeSet<&'a str>,
    report: Diagnostics,
}

impl<'a> Reading<'a> {
    fn read(&mut self, keys: &Keys<'a>) {
        let users = keys.list("users", &mut self.report);
        let users = self.users(users);
        self.policy.roles.clone_from(&self.known.roles);
        let mut written = BTreeMap::new();
        for node in keys.list("roles", &mut self.report) {
            self.role(node, &mut written);
        }
        for node in keys.list("bindings", &mut self.report) {
            let binding = self.binding(node, &users, &written);
            self.policy.bindings.extend(binding);
        }
        self.unused(&users);
    }

    /// The users with where they are written, also those whose token cannot be read.
    fn users(&mut self, nodes: &'a [Node]) -> BTreeMap<&'a str, Span> {
        let (mut users, mut tokens) = (BTreeMap::new(), Tokens::new());
        for node in nodes {
            let known = ["name", "tokenSha256", "tokenVariable"];
            let Some(keys) = Keys::of(node, "a user", &known, &mut self.report) else { continue };
            let (name, token) = (keys.required("name", &mut self.report), self.token(&keys));
            let Some(name) = name else { continue };
            self.once(&mut users, name.text, name.span, "the user");
            if name.text.contains(char::is_control) {
                let message =
                    "the name of a user has a control character in it, which logs would not show as it is";
                self.report.push(Diagnostic::error(NAME, name.span, message).help("remove it"));
            }
            let Some((token, span)) = token else {
                self.tokenless.insert(name.text);
                continue;
            };
            self.own_token(&mut tokens, name.text, token.clone(), span);
            self.policy.users.push(User { name: name.text.into(), token });
        }
        users
    }

    /// Reports a token that an earlier user has.
    fn own_token(&mut self, tokens: &mut Tokens<'a>, user: &'a str, token: TokenSource, span: Span) {
        let (first, at) = *tokens.entry(token).or_insert((user, span));
        // That a user is written twice is said.
        if first != user {
            let message = format!("the user `{user}` has the same token as `{first}`");
            let same = Diagnostic::error(DUPLICATE, span, message).related(at, "the first one");
            self.report.push(same.help("give each user a token of its own"));
        }
    }

    fn token(&mut self, keys: &Keys<'a>) -> Option<(TokenSource, Span)> {
        let digest = keys.text("tokenSha256", &mut self.report);
        let variable = keys.text("tokenVariable", &mut self.report);
        match (digest, variable) {
            (Some(digest), None) => {
                let Some(read) = TokenDigest::parse(digest.text) else {
                    let message = "`tokenSha256` has 64 hexadecimal digits";
                    let wrong = Diagnostic::error(TOKEN, digest.span, message);
                    self.report.push(
                        wrong.help("write the output of `printf %s \"$TOKEN\" | sha256sum | cut -c1-64`"),
                    );
                    return None;
                };
                if read == TokenDigest::of("") {
                    let message = "this is the digest of an empty token";
                    let help = "set the variable with the token before the digest of it is computed";
                    self.report.push(Diagnostic::warning(TOKEN, digest.span, message).help(help));
                }
                Some((TokenSource::Digest(read), digest.span))
            }
            (None, Some(variable)) => Some((TokenSource::Variable(variable.text.into()), variable.span)),
            (None, None) => {
                if !keys.has("tokenSha256") && !keys.has("tokenVariable") {
                    let missing = Diagnostic::error(MISSING_KEY, keys.start(), "a user has no token");
                    let help = "add `tokenSha256:` with the digest of the token, or `tokenVariable:` with the \
                                environment variable that has it";
                    self.report.push(missing.help(help));
                }
                None
            }
            (Some(_), Some(variable)) => {
                let message = "a user has one token, and this one has two";
                let two = Diagnostic::error(TOKEN, variable.span, message);
                self.report.push(two.help("remove `tokenSha256` or `tokenVariable`"));
                None
            }
        }
    }

    fn role(&mut self, node: &'a Node, written: &mut BTreeMap<&'a str, Span>) {
        let known = ["name", "title", "displayName", "description", "permissions", "grants"];
        let Some(keys) = Keys::of(node, "a role", &known, &mut self.report) else { return };
        let Some(name) = keys.required("name", &mut self.report) else { return };
        self.once(written, name.text, name.span, "the role");
        let mut texts = keys.texts("permissions", &mut self.report);
        for grant in keys.list("grants", &mut self.report) {
            // As Goten's roles have them, and what is generated.
            if let Some(keys) = Keys::of(grant, "a grant", &["permissions"], &mut self.report) {
                texts.extend(keys.texts("permissions", &mut self.report));
            }
        }
        let permissions = texts.into_iter().filter_map(|it| self.permission(it)).collect();
        self.policy.roles.insert(name.text.into(), Role { permissions });
    }

    fn permission(&mut self, written: Text<'_>) -> Option<Arc<str>> {
        match *self.known.permissions_named(written.text) {
            [one] => return Some(one.clone()),
            [] => {
                let message = format!("no served service has the permission `{}`", written.text);
                let unknown = Diagnostic::error(UNKNOWN_PERMISSION, written.span, message);
                let all = self.known.permissions.iter().map(|it| short(it));
                self.report.push(match nearest(written.text, all) {
                    Some(near) => unknown.replace(format!("Rename to `{near}`"), written.span, near),
                    None => unknown.help("`planloom spec permissions` lists those of a specification"),
                });
            }
            ref several => {
                let message = format!("several services have a permission `{}`", written.text);
                let help = format!("write it in full: {}", listed(several));
                self.report.push(Diagnostic::error(UNKNOWN_PERMISSION, written.span, message).help(help));
            }
        }
        None
    }

    fn binding(
        &mut self,
        node: &'a Node,
        users: &BTreeMap<&str, Span>,
        written: &BTreeMap<&str, Span>,
    ) -> Option<Binding> {
        let keys = Keys::of(node, "a binding", &["role", "members", "scope"], &mut self.report)?;
        let role = keys.required("role", &mut self.report);
        let role = role.and_then(|it| self.role_named(it, written));
        let mut members = BTreeSet::new();
        for member in keys.texts("members", &mut self.report) {
            if !users.contains_key(member.text) {
                self.unknown_user(member, users);
            } else if !self.tokenless.contains(member.text) {
                members.insert(member.text.into());
            }
        }
        // A scope that cannot be read is not the whole service.
        let scope = match keys.has("scope") {
            true => keys.text("scope", &mut self.report).and_then(|it| self.scope(it)),
            false => Some(Scope::everywhere()),
        };
        Some(Binding { role: role?, members, scope: scope? })
    }

    fn role_named(&mut self, name: Text<'_>, written: &BTreeMap<&str, Span>) -> Option<Arc<str>> {
        if written.contains_key(name.text) {
            return Some(name.text.into());
        }
        match *self.known.roles_named(name.text) {
            [one] => return Some(one.clone()),
            [] => {
                let message = format!("there is no role `{}`", name.text);
                let unknown = Diagnostic::error(UNKNOWN_ROLE, name.span, message);
                let all = written.keys().copied().chain(self.known.roles.keys().map(|it| short(it)));
                self.report.push(match nearest(name.text, all.clone()) {
                    Some(near) => unknown.replace(format!("Rename to `{near}`"), name.span, near),
                    None => unknown.help(format!("there are {}", all.collect::<Vec<_>>().join(", "))),
                });
            }
            ref several => {
                let message = format!("several services have a role `{}`", name.text);
                let help = format!("write it in full: {}", listed(several));
                self.report.push(Diagnostic::error(UNKNOWN_ROLE, name.span, message).help(help));
            }
        }
        None
    }

    fn unknown_user(&mut self, member: Text<'_>, users: &BTreeMap<&str, Span>) {
        let message = format!("there is no user `{}`", member.text);
        let unknown = Diagnostic::error(UNKNOWN_USER, member.span, message);
        self.report.push(match nearest(member.text, users.keys().copied()) {
            Some(near) => unknown.replace(format!("Rename to `{near}`"), member.span, near),
            None => unknown.help("add it under `users`"),
        });
    }

    fn scope(&mut self, scope: Text<'_>) -> Option<Scope> {
        if self.known.is_name(scope.text) {
            return Some(Scope::resource(scope.text));
        }
        let message = format!("`{}` is not the name of a resource of the served services", scope.text);
        let wrong = Diagnostic::error(SCOPE, scope.span, message);
        self.report.push(wrong.help("write the name of one resource, or leave `scope` out for all"));
        None
    }

    /// Users without a role, who can do nothing. Of those whose token cannot be read enough is said.
    fn unused(&mut self, users: &BTreeMap<&str, Span>) {
        let bindings = &self.policy.bindings;
        let bound = |user: &str| bindings.iter().any(|it| it.members.contains(user));
        let unused: Vec<Diagnostic> = users
            .iter()
            .filter(|(user, _)| !bound(user) && !self.tokenless.contains(**user))
            .map(|(user, span)| {
                let message = format!("the user `{user}` has no role, and may do nothing");
                Diagnostic::warning(UNUSED, *span, message).help("add a binding with it among `members`")
            })
            .collect();
        self.report.extend(unused);
    }

    fn once(&mut self, seen: &mut BTreeMap<&'a str, Span>, name: &'a str, span: Span, what: &str) {
        if let Some(first) = seen.insert(name, span) {
            let message = format!("{what} `{name}` is written twice");
            let duplicate = Diagnostic::error(DUPLICATE, span, message).related(first, "the first one");
            self.report.push(duplicate.help("remove one of them"));
        }
    }
}

fn short(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn listed(names: &[&Arc<str>]) -> String {
    names.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
}
