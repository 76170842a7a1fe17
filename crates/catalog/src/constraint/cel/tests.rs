use proptest::prelude::*;

use super::*;
use crate::{CatalogText, read};

fn bundle() -> Bundle {
    let text = "---\nschema: olm.package\nname: a\n---\nschema: olm.bundle\npackage: a\nname: a.v1.2.0\nimage: i\nproperties:\n\
                - {type: olm.package, value: {packageName: a, version: 1.2.0}}\n\
                - {type: olm.gvk, value: {group: g, version: v1, kind: K}}\n\
                - {type: olm.label, value: {label: x}}\n\
                - {type: olm.maxOpenShiftVersion, value: '4.20'}\n\
                - {type: other, value: {n: 3, f: 1.5, t: true, l: [a, b], no: null}}\n";
    let (catalog, said) = read("test", &[CatalogText { file: diag::FileId(0), text }]);
    assert_eq!(said, []);
    catalog.packages["a"].bundles["a.v1.2.0"].clone()
}

/// `true` if a bundle meets a rule, else `false`, or the error of parsing it.
fn answer(rule: &str, bundle: &Bundle) -> String {
    match Rule::parse(rule) {
        Ok(rule) => rule.matches(bundle).to_string(),
        Err(error) => error,
    }
}

#[test]
fn rules_are_met_as_upstream_meets_them() {
    let cases = [
        ("properties.exists(p, p.type == 'olm.package' && p.value.packageName == 'a')", "true"),
        (
            "properties.exists(p, p.type == 'olm.package' && semver_compare(p.value.version, '1.2') == 0)",
            "true",
        ),
        (
            "properties.exists(p, p.type == 'olm.package' && semver_compare(p.value.version, 'v1.10.0') == -1)",
            "true",
        ),
        ("properties.exists(p, p.type == 'olm.gvk' && p.value.kind == \"K\")", "true"),
        ("properties.exists(p, p.type == 'olm.label' && p.value.label in ['x', 'y'])", "true"),
        ("properties.exists(p, p.value == '4.20')", "true"),
        ("properties.all(p, p.type.startsWith('olm.') || p.type == 'other')", "true"),
        ("properties.exists_one(p, p.type.endsWith('gvk'))", "true"),
        ("properties.filter(p, p.type.contains('olm')).size() == 4", "true"),
        ("size(properties.map(p, p.type)) == 5 && 'other' in properties.map(p, p.type)", "true"),
        ("properties.map(p, p.type == 'other', p.value.n) == [3.0]", "true"),
        ("properties[0].value.version == '1.2.0'", "true"),
        ("properties[0]['type'] == 'olm.package'", "true"),
        ("has(properties[0].value.version) && !has(properties[0].value.release)", "true"),
        ("properties[4].value.n == 3 && properties[4].value.f > 1 && properties[4].value.t", "true"),
        ("properties[4].value.l == ['a', 'b'] && properties[4].value.no == null", "true"),
        ("properties[9].type == 'x'", "false"),
        ("properties[0].nothing == 1 || true", "true"),
        ("true || properties[0].nothing == 1", "true"),
        ("properties[0].nothing == 1 && true", "false"),
        ("!(properties[0].nothing == 1)", "false"),
        ("properties.exists(p, p.value.kind == 'K')", "true"),
        ("semver_compare('x', '1.0.0') == 0", "false"),
        ("1 + 2 * 3 == 7 && 7 / 2 == 3 && 7 % 2 == 1 && -1 < 0 && 'a' + 'b' == 'ab'", "true"),
        ("1 / 0 == 0", "false"),
        ("9223372036854775807 + 1 > 0", "false"),
        ("1u == 1 && 0x10 == 16 && 1.5e1 == 15.0", "true"),
        ("true ? false : true", "false"),
        ("{'a': 1}['a'] == 1 && 'a' in {'a': 1} && size({}) == 0", "true"),
        ("string(1) == '1' && int('2') == 2 && double(1) == 1.0", "true"),
        ("double('-1.5e3') == -1500.0 && double('+Inf') > 1e308 && double('NaN') != double('NaN')", "true"),
        ("double('1_0') == 10.0", "false"),
        (r#"'a\n\x41\u00e9' == "a\nA\u00e9" && r'\n' == '\\n' && '''a'b''' == "a'b""#, "true"),
        ("'olm.gvk'.matches('^olm[.][a-z]+$') && !'x'.matches('^y')", "true"),
        ("'v1beta12'.matches('^v\\\\d+((alpha|beta)\\\\d+)?$')", "true"),
        ("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.matches('^(a+)+$')", "false"),
        ("'x'.matches('(')", "false"),
        ("!!true", "true"),
        ("true // a comment\n && true", "true"),
    ];
    let bundle = bundle();
    for (rule, expected) in cases {
        assert_eq!(answer(rule, &bundle), expected, "{rule}");
    }
}

#[test]
fn invalid_cel_rules_are_rejected() {
    let cases = [
        ("", "expected a value, found the end"),
        ("1", "cel expressions must have type Bool"),
        ("properties[0].value", "cel expressions must have type Bool"),
        ("true ? 1 : 2", "cel expressions must have type Bool"),
        ("x == 1", "undeclared reference to 'x'"),
        ("properties.exists(p, p.type == 'x') && p == 1", "undeclared reference to 'p'"),
        ("properties.exists(p)", "expected `,`, found `)`"),
        ("properties.exists(1, true)", "expected a name, found a number"),
        ("properties.exists(p, true, true)", "a macro requires a name and an expression"),
        ("has(properties)", "invalid argument to has() macro"),
        ("foo(1) == 1", "there is no function `foo` with 1 argument"),
        ("'a'.size(1, 2) == 1", "there is no function `size` with 2 arguments"),
        ("true &&", "expected a value, found the end"),
        ("true true", "unexpected `true`"),
        ("(true", "expected `)`, found the end"),
        ("'a", "a string is not closed"),
        ("'a\n'", "a string is not closed on its line"),
        ("'\\q' == ''", "an escape in a string is not valid"),
        ("b'a' == b'a'", "byte strings are not supported"),
        ("99999999999999999999 == 1", "`99999999999999999999` is not a number that can be read"),
        ("9999999999999999999 == 1", "`9999999999999999999` is not a number that can be read"),
        ("a $ b", "unexpected `$`"),
        ("if == 1", "`if` is a reserved word"),
    ];
    let bundle = bundle();
    for (rule, expected) in cases {
        assert_eq!(answer(rule, &bundle), expected, "{rule}");
    }
}

#[test]
fn deep_and_long_rules_are_bounded() {
    let bundle = bundle();
    let cases = [
        (format!("{}true{}", "(".repeat(9999), ")".repeat(9999)), "this is more than 32 brackets deep"),
        (format!("1{} == 1", " + 1".repeat(9999)), "this is more than 96 levels deep"),
        (format!("properties{} == 1", ".a".repeat(9999)), "this is more than 96 levels deep"),
        (format!("{}true", "!".repeat(9999)), "false"),
        (format!("true{}", " && true".repeat(9999)), "true"),
        (format!("{}[] == []{}", "[1].map(a, ".repeat(30), ")".repeat(30)), "false"),
    ];
    for (rule, expected) in cases {
        let answer = answer(&rule, &bundle);
        assert!(answer == expected || answer == "cel expressions must have type Bool", "{answer}");
    }
    let items = "[0,1,2,3,4,5,6,7,8,9]";
    let all = format!("{0}.all(a, {0}.all(b, {0}.all(c, {0}.all(d, {0}.all(e, {0}.all(f, true))))))", items);
    assert_eq!(answer(&all, &bundle), "false");
    let long = format!("'{}'.matches('^{}c$')", "a".repeat(9999), "(a|b)*".repeat(99));
    assert_eq!(answer(&long, &bundle), "false");
}

proptest! {
    #[test]
    fn no_text_breaks_a_rule(text in "[a-p'\"()\\[\\]{}!&|=<>.,?:+*/%0-9 -]{0,40}|(properties|exists|p|true|'a'|1|==|&&|\\(|\\)|,|\\.| ){0,20}") {
        let _ = answer(&text, &bundle());
    }

    #[test]
    fn no_pattern_breaks_a_rule(pattern in "[ab()|*+?.^$-]{0,20}|[\\[\\]^a-c\\\\dws-]{0,9}") {
        let rule = Rule::parse(&format!("'abab'.matches(r'{pattern}')")).expect("a rule");
        let _ = rule.matches(&bundle());
    }
}
