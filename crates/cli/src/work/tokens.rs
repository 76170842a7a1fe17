//! The bearer tokens of adapters: a token is never sent to another server than the one that it is for.

use report::codes;
use std::{
    collections::{BTreeMap, BTreeSet},
    env,
};

use protocol::Token;
use workspace::view::DiagnosticView;

use crate::problem::problem;

/// The variable with the bearer token for adapters at an address: `TOKEN`, or `ORIGIN=TOKEN` for each of several
/// servers, with blanks between.
const VARIABLE: &str = "PLANLOOM_ADAPTER_TOKEN";

/// The same for services; it is also the variable that `serve` reads.
const SERVICE_VARIABLE: &str = "PLANLOOM_TOKEN";

/// The same for other servers, where it differs from the token of this one.
const PEER_VARIABLE: &str = "PLANLOOM_PEER_TOKEN";

/// The tokens that the environment gives for some adapters.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Tokens {
    /// There is none.
    None,
    /// The one server that there is has this one.
    One(Token),
    /// Each by the origin that it is for.
    Each(BTreeMap<String, Token>),
}

impl Tokens {
    /// Those for adapters at these addresses, of which some may be none.
    ///
    /// # Errors
    /// If it is not certain which server a token is for.
    pub(crate) fn of_environment<'a>(
        addresses: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, Box<DiagnosticView>> {
        Self::of_variable(VARIABLE, addresses)
    }

    /// Those for services at these addresses.
    ///
    /// # Errors
    /// If it is not certain which server a token is for.
    pub(crate) fn of_services<'a>(
        addresses: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, Box<DiagnosticView>> {
        Self::of_variable(SERVICE_VARIABLE, addresses)
    }

    /// Those for other servers of services: servers that refer to each other have one token, or `PLANLOOM_PEER_TOKEN` has those of
    /// the others.
    ///
    /// # Errors
    /// If it is not certain which server a token is for.
    pub(crate) fn of_peers<'a>(
        addresses: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, Box<DiagnosticView>> {
        if env::var_os(PEER_VARIABLE).is_some() {
            return Self::of_variable(PEER_VARIABLE, addresses);
        }
        let own = env::var(SERVICE_VARIABLE).unwrap_or_default();
        Ok(Token::new(own.trim()).map_or(Self::None, Self::One))
    }

    /// Those for servers whose addresses a registry says: one token for all of them, or that of each.
    ///
    /// # Errors
    /// If the variable cannot be used.
    pub(crate) fn of_registered() -> Result<Self, Box<DiagnosticView>> {
        Self::of_peers([])
    }

    fn of_variable<'a>(
        variable: &str,
        addresses: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, Box<DiagnosticView>> {
        let value = env::var(variable).unwrap_or_default();
        Self::read(variable, value.trim(), &addresses.into_iter().filter_map(origin).collect())
    }

    fn read(variable: &str, value: &str, origins: &BTreeSet<String>) -> Result<Self, Box<DiagnosticView>> {
        if value.is_empty() {
            return Ok(Self::None);
        }
        if value.starts_with("http://") || value.starts_with("https://") {
            return value
                .split_whitespace()
                .map(|it| one_of_several(variable, it))
                .collect::<Result<_, _>>()
                .map(Self::Each);
        }
        if origins.len() > 1 {
            return Err(ambiguous(variable, origins));
        }
        Token::new(value).map(Self::One).ok_or_else(|| unusable(variable))
    }

    /// The token for the adapter at an address.
    pub(crate) fn of(&self, address: &str) -> Option<Token> {
        match self {
            Self::None => None,
            Self::One(token) => Some(token.clone()),
            Self::Each(tokens) => tokens.get(&origin(address)?).cloned(),
        }
    }
}

fn one_of_several(variable: &str, text: &str) -> Result<(String, Token), Box<DiagnosticView>> {
    let unusable = || unusable(variable);
    let (address, token) = text.split_once('=').ok_or_else(unusable)?;
    Ok((origin(address).ok_or_else(unusable)?, Token::new(token).ok_or_else(unusable)?))
}

/// Scheme, host and port in normal form; `None` if it is no address of http or https.
fn origin(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let usual = match &*scheme {
        "http" => "80",
        "https" => "443",
        _ => return None,
    };
    let authority = rest.split(['/', '?', '#']).next().filter(|it| !it.is_empty())?.to_ascii_lowercase();
    let has_port =
        authority.rsplit_once(':').is_some_and(|(_, port)| port.bytes().all(|it| it.is_ascii_digit()));
    Some(if has_port { format!("{scheme}://{authority}") } else { format!("{scheme}://{authority}:{usual}") })
}

fn ambiguous(variable: &str, origins: &BTreeSet<String>) -> Box<DiagnosticView> {
    let names: Vec<&str> = origins.iter().map(String::as_str).collect();
    let message = format!(
        "`{variable}` holds one token, and the adapters are at several servers: {}",
        names.join(", ")
    );
    let shown = names.iter().map(|it| format!("{it}=TOKEN")).collect::<Vec<_>>().join(" ");
    let help =
        format!("assign each token to a server: `{variable}=\"{shown}\"`; omit servers that need none");
    Box::new(problem(codes::ADAPTER_TOKEN, None, message, &help))
}

/// The value is a secret, so it is not shown.
fn unusable(variable: &str) -> Box<DiagnosticView> {
    let message = format!("`{variable}` is neither a token nor a list of `ORIGIN=TOKEN`");
    let help = "write the token alone, without spaces, or `https://host:port=TOKEN` for each server, \
                separated by spaces";
    Box::new(problem(codes::ADAPTER_TOKEN, None, message, help))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origins(addresses: &[&str]) -> BTreeSet<String> {
        addresses.iter().filter_map(|it| origin(it)).collect()
    }

    #[test]
    fn an_origin_is_spelt_in_one_way() {
        for (address, expected) in [
            ("http://127.0.0.1:7070/adapters/process", Some("http://127.0.0.1:7070")),
            ("HTTPS://Adapters.Example/a?b", Some("https://adapters.example:443")),
            ("http://[::1]:80", Some("http://[::1]:80")),
            ("http://[::1]", Some("http://[::1]:80")),
            ("process", None),
            ("etcd://a:1/b", None),
        ] {
            assert_eq!(origin(address).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn one_token_is_for_one_server() {
        let two_of_one = origins(&["http://a/adapters/x", "http://A:80/adapters/y", "process"]);
        let tokens = Tokens::read(VARIABLE, "secret", &two_of_one).expect("it is one server");
        assert_eq!(tokens.of("http://a/adapters/y"), Token::new("secret"));
        let two = origins(&["http://a", "https://a"]);
        let refused = Tokens::read(VARIABLE, "secret", &two).expect_err("nobody knows which it is for");
        assert!(refused.message.contains("http://a:80, https://a:443"), "{}", refused.message);
        assert!(!format!("{refused:?}").contains("secret"));
    }

    #[test]
    fn a_token_goes_to_the_origin_that_it_is_for_only() {
        let two = origins(&["http://a", "https://b:8443"]);
        let tokens =
            Tokens::read(VARIABLE, "http://a=one  https://b:8443/=two=2", &two).expect("each is for one");
        for (address, token) in [
            ("http://a:80/x", Some("one")),
            ("https://b:8443/adapters/process", Some("two=2")),
            ("http://b:8443", None),
            ("https://b", None),
            ("https://a", None),
            ("http://a.evil.example", None),
        ] {
            assert_eq!(tokens.of(address), token.and_then(Token::new), "{address}");
        }
    }

    #[test]
    fn invalid_tokens_are_refused_and_not_shown() {
        for value in ["hidden hidden", "http://a=hidden https://hidden", "http://=hidden", "http://a="] {
            let refused = Tokens::read(VARIABLE, value, &origins(&["http://a"])).expect_err(value);
            assert!(!format!("{refused:?}").contains("hidden"), "{value}");
        }
        assert_eq!(Tokens::read(VARIABLE, "", &origins(&["http://a", "http://b"])).ok(), Some(Tokens::None));
    }
}
