//! Patterns for ids.

use planloom_store::Glob;
use proptest::prelude::*;

fn check(pattern: &str, yes: &[&str], no: &[&str]) {
    let glob = Glob::new(pattern).unwrap();
    yes.iter().for_each(|id| assert!(glob.matches(id), "{pattern} {id}"));
    no.iter().for_each(|id| assert!(!glob.matches(id), "{pattern} {id}"));
}

#[test]
fn patterns_mean_whole_ids() {
    check("web", &["web"], &["", "we", "webs", "Web"]);
    check("*", &["", "a", "a/b"], &[]);
    check("a*b*c", &["abc", "axbxc", "abcbc"], &["ab", "abcd", "xabc"]);
    check("a?c", &["abc", "aéc"], &["ac", "abbc"]);
    check("[a-c]x[!0-9]", &["axa", "cx-"], &["dxa", "ax1", "ax"]);
    check(r"\*[\]]", &["*]"], &["a]"]);
    check("[a-]", &["a", "-"], &["b"]);
    check("[a-a]", &["a"], &["b", "-"]);
    check("", &[""], &["a"]);
}

#[test]
fn a_pattern_of_stars_takes_all_else_exactly() {
    for (pattern, text) in [
        ("services.web", "services.web"),
        ("*", ""),
        ("*", "x"),
        ("services.*", "services.web[0]"),
        ("services.web[0]", "services.web[0]"),
        ("*.web", "services.web"),
        ("s*s.*b", "services.web"),
        ("**", "ab"),
        ("a*a", "aa"),
        (r"?\[*", r"?\[x"),
    ] {
        let glob = Glob::stars(pattern);
        assert!(glob.matches(text), "{pattern} {text}");
        assert_eq!(Glob::new(&glob.to_string()).unwrap(), glob, "it is written as what it means");
    }
    for (pattern, text) in [
        ("services.web", "services.web2"),
        ("services.web[0]", "services.web0"),
        ("", "x"),
        ("a*a", "a"),
        ("s*x*b", "services.web"),
    ] {
        assert!(!Glob::stars(pattern).matches(text), "{pattern} {text}");
    }
}

#[test]
fn patterns_that_make_no_sense_are_refused() {
    for pattern in ["[", "[a", "[]", "[!]", "a\\", "[z-a]", "[\\"] {
        assert_eq!(Glob::new(pattern).unwrap_err().code(), "store/invalid", "{pattern}");
    }
}

#[test]
fn many_stars_take_no_time() {
    let pattern = "a*".repeat(50) + "b";
    assert!(!Glob::new(&pattern).unwrap().matches(&"a".repeat(5_000)));
}

/// The simple semantics of `*` and `?`.
fn means(pattern: &[char], id: &[char]) -> bool {
    match (pattern.split_first(), id.split_first()) {
        (None, None) => true,
        (Some(('*', rest)), _) => (0..=id.len()).any(|taken| means(rest, &id[taken..])),
        (Some((expected, rest)), Some((c, left))) => (*expected == '?' || expected == c) && means(rest, left),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn patterns_match_what_they_mean(pattern in "[ab*?]{0,7}", id in "[ab]{0,8}") {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        prop_assert_eq!(Glob::new(&pattern).unwrap().matches(&id), means(&chars(&pattern), &chars(&id)));
    }

    #[test]
    fn any_text_is_a_pattern_or_refused(pattern in "\\PC{0,12}", id in "\\PC{0,8}") {
        if let Ok(glob) = Glob::new(&pattern) {
            glob.matches(&id);
        }
    }
}
