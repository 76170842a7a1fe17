//! Sensitive values are inserted into text and otherwise not revealed.

use super::{super::preview, World, shown_problem};

const HIDING: &str = r#"
links: {db: {properties: {pass: secret hush}}}
properties:
  key: secret own
  auth: {user: u, pass: secret hush}
  list: [secret a, b]
  secret empty: []
  secret map: {a: 1}
"#;

fn made(template: &str) -> String {
    let made = World::new(HIDING).with(|scope| preview(template, scope));
    let problems: Vec<String> =
        made.unsupported.iter().chain(&made.errors).map(|it| shown_problem(template, it)).collect();
    made.text.unwrap_or_else(|| problems.join("\n"))
}

#[track_caller]
fn check(code: &str, expected: &str) {
    assert_eq!(made(&format!("<%= {code} %>")), expected, "{code}");
}

#[track_caller]
fn check_refused(code: &str, at: &str) {
    let message = "a sensitive value can be inserted into text, but not tested";
    assert_eq!(made(&format!("<%= {code} %>")), format!("Hidden at `{at}`: {message}"), "{code}");
}

#[test]
fn it_is_put_into_text() {
    for code in [
        "p('key')",
        "\"a#{p('key')}\"",
        "'a' + p('key')",
        "p('list').join",
        "p('key') || 'none'",
        "p('nope', nil) || p('key')",
        "p('key').upcase",
        "link('db').p('pass')",
        "p('auth').to_json",
        "p('empty').join(',')",
        "p('map').fetch('nope', 'x')",
        "p('map').values",
        "p('map').to_h",
        "p('map').first",
    ] {
        check(code, "••••••");
    }
    check("p('auth')['user']", "u");
    check("p('list').size", "2");
    check("if_p('key') { |k| 'there' }", "there");
    assert_eq!(made("<% x = p('key'); x ||= 'none' %><%= x %>"), "••••••");
}

#[test]
fn it_is_not_decided_on() {
    for (code, at) in [
        ("p('key') == 'guess'", "p('key') == 'guess'"),
        ("p('key') != 'guess'", "p('key') != 'guess'"),
        ("'guess' < p('key')", "'guess' < p('key')"),
        ("p('auth') == {user: 'u', pass: 'guess'}", "p('auth') == {user: 'u', pass: 'guess'}"),
        ("p('key') ? 1 : 2", "p('key')"),
        ("!p('key')", "p('key')"),
        ("p('key') && 1", "p('key')"),
        ("p('key').length", ".length"),
        ("p('key').size", ".size"),
        ("p('key').empty?", ".empty?"),
        ("p('key').nil?", ".nil?"),
        ("p('key').start_with?('o')", ".start_with?('o')"),
        ("'own'.include?(p('key'))", "p('key')"),
        ("p('key').split('')", ".split('')"),
        ("p('key').to_i + 1", "p('key').to_i + 1"),
        ("1 / p('key').to_i", "1 / p('key').to_i"),
        ("-p('key').to_i", "p('key').to_i"),
        ("p('list').sort", ".sort"),
        ("p('list').uniq", ".uniq"),
        ("p('list').include?('a')", ".include?('a')"),
        ("['a'].include?(p('key'))", ".include?(p('key'))"),
        ("p('list').select { |i| i == 'a' }", "i == 'a'"),
        ("p('list').any?", ".any?"),
        ("{own: 1}[p('key')]", "[p('key')]"),
        ("[p('key')] == ['guess']", "[p('key')] == ['guess']"),
        ("(p('empty') + [1]).size", ".size"),
        ("([1] + p('empty')).size", ".size"),
        ("p('map').size", ".size"),
        ("p('map').count", ".count"),
        ("{own: 1}.fetch(p('key'), 2)", ".fetch(p('key'), 2)"),
        ("{own: 1}.dig(p('key'))", ".dig(p('key'))"),
        ("{own: 1}.key?(p('key'))", ".key?(p('key'))"),
        ("{p('key') => 1}.keys", "p('key')"),
        ("p(p('key'), 1)", "p('key')"),
        ("if_link(p('key'))", "p('key')"),
    ] {
        check_refused(code, at);
    }
    for template in ["<% if p('key') %>a<% end %>", "<% p('key').each do |x| %>a<% end %>"] {
        assert!(made(template).starts_with("Hidden at `p('key')`"), "{template}");
    }
}
