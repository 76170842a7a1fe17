//! Texts that are checked without patterns.

use std::{fmt::Display, str::FromStr};

use planloom_names::{FullName, MAX_NAME, NameError, RelativeName, ResourceType, ServiceName};
use proptest::prelude::*;

use crate::support::{config, patterns};

fn same<T: FromStr<Err = NameError> + Display>(text: &str) {
    let read: T = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(read.to_string(), text);
}

fn bad<T: FromStr<Err = NameError>>(text: &str, code: &str, at: usize) {
    let error = text.parse::<T>().err().unwrap_or_else(|| panic!("{text} was read"));
    assert_eq!((error.code(), error.at()), (code, at), "{text}");
    assert!(error.to_string().len() < 300 && !error.help().is_empty() && error.patterns().is_empty());
}

#[test]
fn texts_are_written_as_they_were_read() {
    same::<ServiceName>("cellular-api.edgelq.com");
    same::<ResourceType>("iam.edgelq.com/Project");
    same::<RelativeName>("projects/p/logs/a//b");
    same::<FullName>("//meta.goten.com/services/iam.edgelq.com");
}

#[test]
fn texts_that_are_none_say_where() {
    bad::<ServiceName>("", "names/service", 0);
    bad::<ServiceName>("iam_edgelq.com", "names/service", 3);
    bad::<ServiceName>(&"a".repeat(129), "names/service", 128);
    bad::<ResourceType>("iam.edgelq.com", "names/kind", 14);
    bad::<ResourceType>("iam.edgelq.com/", "names/kind", 15);
    bad::<ResourceType>("iam.edgelq.com/A/B", "names/kind", 16);
    bad::<ResourceType>("/Project", "names/service", 0);
    bad::<RelativeName>("", "names/empty", 0);
    bad::<RelativeName>("/projects/p", "names/empty-segment", 0);
    bad::<RelativeName>(&"a".repeat(1 << 20), "names/too-long", MAX_NAME);
    bad::<FullName>("", "names/not-full", 0);
    bad::<FullName>("/iam/projects/p", "names/not-full", 0);
    bad::<FullName>("projects/p", "names/not-full", 0);
    bad::<FullName>("//a//", "names/empty-segment", 4);
    bad::<FullName>("//iam", "names/empty", 5);
    bad::<FullName>("//iam/", "names/empty", 6);
    bad::<FullName>("///projects/p", "names/service", 2);
    bad::<FullName>("//i m/projects/p", "names/service", 3);
}

#[test]
fn a_full_name_is_of_one_resource() {
    let kind = patterns("projects/{project}/secrets/{secret}");
    let service: ServiceName = "secrets.edgelq.com".parse().unwrap();
    let name = kind.parse("projects/p/secrets/s").unwrap();
    let full = name.full(&service).unwrap();
    assert_eq!(full.to_string(), "//secrets.edgelq.com/projects/p/secrets/s");
    assert_eq!(full.to_string().parse(), Ok(full.clone()));
    assert_eq!((full.service(), kind.parse(full.name().as_str())), (&service, Ok(name)));
    let wildcard = kind.parse("projects/p/secrets/-").unwrap();
    assert_eq!(wildcard.full(&service).unwrap_err().code(), "names/wildcard");
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn whatever_is_read_is_written_alike(text in "(//)?[a-z./-]{0,12}(/[A-Za-z_]{0,5}){0,3}|.{0,20}") {
        if let Ok(it) = text.parse::<ServiceName>() { prop_assert_eq!(it.to_string(), &*text); }
        if let Ok(it) = text.parse::<ResourceType>() { prop_assert_eq!(it.to_string(), &*text); }
        if let Ok(it) = text.parse::<RelativeName>() { prop_assert_eq!(it.to_string(), &*text); }
        match text.parse::<FullName>() {
            Ok(it) => prop_assert_eq!(it.to_string(), &*text),
            Err(error) => prop_assert!(text.is_char_boundary(error.at())),
        }
    }
}
