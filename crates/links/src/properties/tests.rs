use diag::{FileId, Span};

use super::*;

const ORIGIN: Origin = Origin::Written(Span::at(FileId(0), 0));

fn map(entries: &[(&str, Value)]) -> Value {
    let entries = entries.iter().map(|(key, value)| (Arc::from(*key), value.clone()));
    Value::new(Data::Map(entries.collect()), ORIGIN)
}

fn text(text: &str) -> Value {
    Value::new(Data::String(text.into()), ORIGIN)
}

fn null() -> Value {
    Value::new(Data::Null, ORIGIN)
}

/// An exposure that declares `port` with a default, `tls.cert` and `tls.key` without.
fn exposure(written: &[(&str, Value)]) -> Exposure {
    let port = Declared { default: Some(text("80")) };
    let declared = [("port", port), ("tls.cert", Declared::default()), ("tls.key", Declared::default())];
    Exposure {
        listed: Some(vec![Named::new("tls.cert", Span::at(FileId(0), 0))]),
        written: Some(map(written)),
        declared: declared.into_iter().map(|(path, it)| (path.into(), it)).collect(),
    }
}

/// The properties that a job has of itself, as `path=text` and `path=null`.
fn seen(written: &[(&str, Value)]) -> Vec<String> {
    let seen = own_properties(&exposure(written));
    let at = |path: &str| {
        let found = path.split('.').try_fold(&seen, |value, key| value.get(key))?;
        Some(format!("{path}={}", found.as_str().unwrap_or("null")))
    };
    ["port", "tls.cert", "tls.key", "other"].into_iter().filter_map(at).collect()
}

#[test]
fn a_job_sees_what_is_written_or_else_the_default() {
    assert_eq!(seen(&[]), ["port=80"]);
    assert_eq!(seen(&[("port", text("1")), ("other", text("x"))]), ["port=1"]);
    assert_eq!(seen(&[("tls", map(&[("key", text("k"))]))]), ["port=80", "tls.key=k"]);
}

#[test]
fn a_written_null_is_not_written() {
    assert_eq!(seen(&[("port", null())]), ["port=80"]);
    assert_eq!(seen(&[("tls", null())]), ["port=80"]);
    assert_eq!(seen(&[("tls", map(&[("key", null())]))]), ["port=80"]);
}

#[test]
fn properties_below_a_placeholder_are_open() {
    assert_eq!(
        seen(&[("tls", text("((tls))"))]),
        ["port=80", "tls.cert=((tls.cert))", "tls.key=((tls.key))"]
    );
    assert_eq!(seen(&[("tls", text("plain"))]), ["port=80"]);
}

#[test]
fn a_path_below_null_leads_nowhere_and_breaks_nothing() {
    for profile in [Profile::Bosh, Profile::Strict] {
        let reported = expose(&exposure(&[("tls", null())]), profile);
        assert!(!reported.is_broken(), "{profile:?}");
        assert_eq!(reported.missing.len(), 1, "{profile:?}");
        assert!(expose(&exposure(&[("tls", text("plain"))]), profile).is_broken(), "{profile:?}");
    }
}
