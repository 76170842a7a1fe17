//! Ids that are generated.

use planloom_names::{IdPattern, generate_id};
use proptest::prelude::*;

use crate::support::config;

/// Pseudo-random numbers, from a seed.
fn numbers(mut seed: u64) -> impl FnMut() -> u64 {
    move || {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

fn generated(elements: &[&str], pattern: &IdPattern, longest: usize) -> Option<String> {
    generate_id(elements, numbers(1), pattern, longest)
}

#[test]
fn ids_have_the_words_of_their_elements() {
    fn check(elements: &[&str], longest: usize, beginning: &str, length: usize) {
        let id = generated(elements, &IdPattern::default_of_creation(), longest).unwrap();
        assert!(id.starts_with(beginning), "{id}");
        assert_eq!(id.len(), length, "{id}");
    }
    check(&[], 30, "", 16);
    check(&["web"], 30, "web-", 16);
    check(&["My Pods, 2 of them!"], 30, "my-pods-2-of-them-", 24);
    check(&["distribution", "device-7"], 30, "distribution-device-7-", 28);
    check(&["a-very-long-distribution", "short"], 30, "a-very-long-distr-short-", 30);
    check(&["42-answers", "é", "---"], 30, "answers-", 16);
    check(&["a", "b", "c", "d", "e", "f"], 30, "a-b-c-d-e-", 16);
    check(&["web", "front"], 10, "w-f-", 10);
    check(&["web"], 4, "", 4);
}

#[test]
fn ids_match_patterns_that_have_other_characters() {
    fn check(pattern: &str, longest: usize, expected: bool) {
        let pattern = IdPattern::new(pattern).unwrap();
        let id = generated(&["web"], &pattern, longest);
        assert_eq!(id.is_some(), expected, "{pattern}: {id:?}");
        assert!(id.is_none_or(|it| pattern.matches(&it) && it.len() <= longest));
    }
    check(r"\d{19}", 30, true);
    check(r"\d{19}", 18, false);
    check("[A-Z]{2,4}", 30, true);
    check(r"[a-zA-Z0-9-]{1,128}\/[a-zA-Z0-9-.]{1,128}\/[a-zA-Z]{1,128}", 30, true);
    check("[!#]+", 30, true);
    check("(?:ab|[0-9]x)", 30, false);
    check("[a-z]{100}", 50, false);
    check("", 30, true);
    check("[a-z]+", 0, false);
    check("[^\\x00-\\x7f]+", 30, false);
}

#[test]
fn a_seed_decides_and_seeds_differ() {
    let pattern = IdPattern::default_of_creation();
    let with = |seed| generate_id(&["pod"], numbers(seed), &pattern, 30).unwrap();
    assert_eq!(with(7), with(7));
    let ids: std::collections::BTreeSet<_> = (0..1_000).map(with).collect();
    assert_eq!(ids.len(), 1_000);
    assert_eq!(with(1), "pod-qef0ro03fqnv");
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn ids_match(elements in prop::collection::vec(".{0,20}", 0..7), seed: u64, longest in 2_usize..40) {
        let pattern = IdPattern::default_of_creation();
        let elements: Vec<_> = elements.iter().map(|it| &**it).collect();
        let id = generate_id(&elements, numbers(seed), &pattern, longest).unwrap();
        prop_assert!(pattern.matches(&id) && id.len() <= longest, "{id}");
    }
}
