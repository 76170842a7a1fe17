//! The forms of texts that rules name.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use regex_lite::Regex;

use crate::{compare::decode_base64, schema::Format};

/// True if a text has the form; `None` if that cannot be determined, because the regular expression is not valid or uses
/// unsupported syntax (classes of Unicode).
pub(super) fn has_format(text: &str, format: &Format) -> Option<bool> {
    Some(match format {
        Format::Regex(pattern) => {
            return Regex::new(&format!("^(?:{pattern})$")).ok().map(|it| it.is_match(text));
        }
        Format::Email => is_email(text),
        Format::Address => is_hostname(text) || text.parse::<IpAddr>().is_ok(),
        Format::Hostname => is_hostname(text),
        Format::Ip => text.parse::<IpAddr>().is_ok(),
        Format::Ipv4 => text.parse::<Ipv4Addr>().is_ok(),
        Format::Ipv6 => text.parse::<Ipv6Addr>().is_ok(),
        Format::Uri => is_uri(text),
        Format::UriReference => is_uri_reference(text),
        Format::Uuid => is_uuid(text),
        Format::Pem => is_pem(text),
    })
}

/// The name of a form.
pub(super) fn name(format: &Format) -> String {
    match format {
        Format::Regex(pattern) => format!("a text that matches `{pattern}`"),
        Format::Email => "an e-mail address".to_owned(),
        Format::Address => "a host name or an IP address".to_owned(),
        Format::Hostname => "a host name".to_owned(),
        Format::Ip => "an IP address".to_owned(),
        Format::Ipv4 => "an IPv4 address".to_owned(),
        Format::Ipv6 => "an IPv6 address".to_owned(),
        Format::Uri => "an absolute URI".to_owned(),
        Format::UriReference => "a URI or a relative reference".to_owned(),
        Format::Uuid => "a UUID".to_owned(),
        Format::Pem => "one PEM block or several".to_owned(),
    }
}

/// A host name of RFC 1034, whose labels may begin with digits (RFC 1123), with a dot at its end or without.
fn is_hostname(text: &str) -> bool {
    let name = text.strip_suffix('.').unwrap_or(text);
    let is_label = |it: &str| {
        let bytes = it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-');
        bytes && (1..=63).contains(&it.len()) && !it.starts_with('-') && !it.ends_with('-')
    };
    name.len() <= 253 && name.split('.').all(is_label)
}

/// The addresses of RFC 5321 that have no quotes and no literal domain.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let is_atom = |it: &str| {
        !it.is_empty()
            && it.bytes().all(|it| it.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&it))
    };
    local.len() <= 64 && local.split('.').all(is_atom) && is_hostname(domain)
}

fn is_uri(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once(':') else {
        return false;
    };
    let is_scheme = scheme.bytes().all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it));
    is_scheme && scheme.starts_with(|it: char| it.is_ascii_alphabetic()) && has_uri_characters(text)
}

/// A colon in the first part of a relative path would make it a scheme.
fn is_uri_reference(text: &str) -> bool {
    let first = text.split(['/', '?', '#']).next().unwrap_or_default();
    is_uri(text) || !first.contains(':') && has_uri_characters(text)
}

/// The characters of RFC 3986, with one fragment at most.
fn has_uri_characters(text: &str) -> bool {
    let mut bytes = text.bytes();
    let mut fragments = 0;
    while let Some(byte) = bytes.next() {
        let is_valid = match byte {
            b'%' => [bytes.next(), bytes.next()].iter().all(|it| it.is_some_and(|it| it.is_ascii_hexdigit())),
            b'#' => {
                fragments += 1;
                fragments == 1
            }
            _ => byte.is_ascii_alphanumeric() || b"-._~:/?[]@!$&'()*+,;=".contains(&byte),
        };
        if !is_valid {
            return false;
        }
    }
    true
}

fn is_uuid(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && text.bytes().all(|it| it.is_ascii_hexdigit() || it == b'-')
}

fn is_pem(text: &str) -> bool {
    let mut rest = text.trim();
    while !rest.is_empty() {
        match after_block(rest) {
            Some(after) => rest = after.trim_start(),
            None => return false,
        }
    }
    !text.trim().is_empty()
}

/// The text after the PEM block at the start of a text.
fn after_block(text: &str) -> Option<&str> {
    let (label, rest) = text.strip_prefix("-----BEGIN ")?.split_once("-----")?;
    let (body, after) = rest.split_once(&format!("-----END {label}-----"))?;
    // Old keys have headers before the body, separated from it by an empty line.
    let body =
        body.split_once("\n\n").filter(|(headers, _)| headers.contains(':')).map_or(body, |(_, body)| body);
    let body: String = body.split_ascii_whitespace().collect();
    (!body.is_empty() && decode_base64(&body).is_some()).then_some(after)
}
