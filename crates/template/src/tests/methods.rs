//! The supported methods of Ruby, for each kind of value.

use super::evaluated;

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(evaluated(text), expected, "{text}");
}

#[test]
fn texts_have_methods() {
    check("''.empty?", "true");
    check("' '.empty?", "false");
    check("\"a\\n\".chomp", "\"a\"");
    check("\"a\\r\\n\".chomp", "\"a\"");
    check("\"a\\n\\n\".chomp", "\"a\\n\"");
    check("'a'.to_sym", "\"a\"");
    check("'abc'.end_with?('bc')", "true");
    check("'abc'.end_with?('ab')", "false");
    check("'é'.length", "1");
    check("'a'.inspect", r#""\"a\"""#);
    check("'abc'.include?(1)", "Mismatch at `1`: expected text here, found a number");
}

#[test]
fn texts_begin_with_numbers() {
    check("'-12'.to_i", "-12");
    check("'+5'.to_i", "5");
    check("' 7 '.to_i", "7");
    check("'-'.to_i", "0");
    check("'x1'.to_i", "0");
    check("'9223372036854775807'.to_i", "9223372036854775807");
    check("'9223372036854775808'.to_i", "Limit at `.to_i`: this number is too big");
}

#[test]
fn numbers_have_methods() {
    check("5.to_i", "5");
    check("5.to_s", "\"5\"");
    check("1.9.to_i", "1");
    check("-1.9.to_i", "-1");
    check("1e3.to_i", "Syntax at `e3`: expected the end, found `e3`");
    check("10000000000000000000000.0.to_i", "Limit at `.to_i`: this number is too big");
    check("(0.0 / 0).to_i", "Mismatch at `.to_i`: a number has no `to_i`");
    check("5.keys", "Mismatch at `.keys`: a number has no `keys`");
    check("1.5.keys", "Mismatch at `.keys`: a number has no `keys`");
}

#[test]
fn nil_has_few_methods() {
    check("nil.inspect", "\"nil\"");
    check("nil.to_s", "\"\"");
    check("p('x', nil).port", "Mismatch at `.port`: nil has no `port`");
    check("p('x', nil).keys", "Mismatch at `.keys`: nil has no `keys`");
}

#[test]
fn lists_have_methods() {
    check("[5, 6].fetch(0)", "5");
    check("[5, 6].fetch(-1)", "6");
    check("[5, 6].fetch(1)", "6");
    check("[5].fetch(1)", "Mismatch at `.fetch(1)`: there is no such key to fetch");
    check("[5].fetch(1, 'd')", "\"d\"");
    check("[5].fetch(-2, 'd')", "\"d\"");
    check("[[1, {a: 2}]].dig(0, 1, 'a')", "2");
    check("[[1]].dig(4, 1)", "null");
    check("[1].to_a", "[1]");
    check("[1, 2, 3].count", "3");
    check("[1, 2, 3].count { |i| i > 1 }", "2");
    check("[1].include?(2)", "false");
    check("[1, 2].none? { |i| i > 2 }", "true");
    check("[nil, 1].any?", "true");
    check("[nil, 1].all?", "false");
}

#[test]
fn lists_of_lists_are_flattened() {
    check("[1].map { |i| [i] }", "[[1]]");
    check("[1, 2].flat_map { |i| [i, [i]] }", "[1, [1], 2, [2]]");
    check("[[1, [2, [3]]], 4].flatten", "[1, 2, 3, 4]");
    check("[[1, [2]], 3].join(' ')", "\"1 2 3\"");
}

#[test]
fn maps_have_methods() {
    check("{b: 1, a: 2}.size", "2");
    check("{b: 1}.length", "1");
    check("{b: 1}.count", "1");
    check("{}.empty?", "true");
    check("{b: 1}.empty?", "false");
    check("{a: 1, b: 2}.keys", "[\"a\", \"b\"]");
    check("{a: [2], b: 1}.values", "[[2], 1]");
    check("{b: 1}.key?('b')", "true");
    check("{b: 1}.include?('c')", "false");
    check("{b: 1}.fetch('b')", "1");
    check("{b: 1}.fetch('c', 2)", "2");
    check("{b: {c: [3]}}.dig('b', 'c', 0)", "3");
    check("{b: 1}.to_h", "{b: 1}");
    check("{b: 1}.to_a", "[[\"b\", 1]]");
    check("{b: 1, c: 2}.reject { |k, v| k == 'b' }", "{c: 2}");
    check("{b: 1, c: 2}.find { |k, v| v == 2 }", "[\"c\", 2]");
    check("p('a').nope", "Unsupported at `.nope`: this is Ruby that Planloom does not run: `nope` of a map");
}

#[test]
fn the_first_of_a_map_is_a_key_with_its_value() {
    check("{a: 2, b: 1}.first", "[\"a\", 2]");
    check("{}.first", "null");
    check("{b: 1}.last", "Mismatch at `.last`: a map has no `last`");
    check("{b: 1}.join(',')", "Mismatch at `.join(',')`: a map has no `join`");
    check("{b: 1}.reverse", "Mismatch at `.reverse`: a map has no `reverse`");
}

#[test]
fn keys_of_properties_go_before_methods() {
    check("link('db').properties.size", "3");
    check("properties.fetch('name')", "\"app\"");
    check("properties.fetch('nope', 1)", "1");
    check("link('own').instances[0].properties.select { |k, v| k == 'port' }", "{port: 7}");
    check("link('live').properties.all.size", "${services.db.outputs.size}");
    let later = "is known only at run time";
    check(
        "link('live').properties.all.fetch('a')",
        &format!("Unknown at `.fetch('a')`: `fetch` of this {later}"),
    );
    check("link('live').address.port", &format!("Unknown at `.port`: `port` of this {later}"));
}

#[test]
fn instances_have_properties() {
    check("link('own').instances[0].p('port')", "7");
    check("link('own').instances[0].p('nope', 1)", "1");
    check("link('own').instances[0].if_p('port')", "7");
    check("link('own').instances[0].if_p('nope').else(0)", "0");
    check("link('own').instances[0].properties.port", "7");
    check("link('own').instances[0].az", "null");
}

#[test]
fn some_instances_have_an_address_of_their_own() {
    check(
        "link('db').address(uuid: 'u', initial_health_check: 'synchronous')",
        "\"q--default-u-synchronous.db\"",
    );
    check("link('db').address(status: nil, azs: nil)", "\"q--default.db\"");
    check(
        "link('db').address(azs: [link('live').address])",
        "Unknown at `[link('live').address]`: the selection of instances is known only at run time",
    );
}

#[test]
fn blocks_are_accepted_where_they_belong() {
    check("[1].map", "Syntax at `map`: `map` needs a block");
    check(
        "link('db').instances.first(&:id)",
        "Unsupported at `first`: this is Ruby that Planloom does not run: `first` with a block",
    );
    check("link('db', &:address)", "Syntax at `link`: `link` takes no block");
    check("link('db') { |l| l.address }", "Syntax at `{`: expected the end, found `{`");
    check("if_link('db', &:address)", "\"db.internal\"");
}
