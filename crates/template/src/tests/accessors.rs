use super::evaluated;

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(evaluated(text), expected, "{text}");
}

#[test]
fn links_have_properties() {
    check(r#"link("db").p("port")"#, "6400");
    check("link('db').p('port', 1)", "6400");
    check("  link(\"db\")\n  .p(\"auth.user\")  ", "\"svc\"");
    check(r#"link("db").p(["nope", "port"])"#, "6400");
    check(r#"link("db").p(["a","b"], "x")"#, "\"x\"");
    check("link('db').p(:port)", "6400");
    check("link 'db'", &evaluated("link('db')"));
    check("link('db').properties.auth.user", "\"svc\"");
    check("link('db').properties['odd key']", "1");
    check("link('db').properties.roles[1].name", "\"writer\"");
    check("link('db').properties.roles.map(&:name)", r#"["reader", "writer"]"#);
    check("link('db').properties.size", "3");
    check("link('db').properties.nope", "null");
    check("link('db').p('roles')[-1]['name']", "\"writer\"");
    check("link('db').p('roles').size", "2");
    check("link('bare').properties", "{}");
    check("link('bare').p('x', 'd')", "\"d\"");
}

/// Case Q9.
#[test]
fn false_zero_and_blank_are_values() {
    check("link('db').p('off', 1)", "false");
    check("link('db').p('zero', 1)", "0");
    check("link('db').p('blank', 1)", "\"\"");
    check("link('db').p('none', 1)", "1");
    check("link('db').p('nope', 1)", "1");
    check("link('db').p(['none', 'off'])", "false");
    check("link('db').p('nope', nil)", "null");
    check("link('db').p('port.deeper', 1)", "1");
    let lost = |at: &str, names: &str| format!("NoProperty at `{at}`: Can't find property '{names}'");
    check("link('db').p('none')", &lost(".p('none')", "[\"none\"]"));
    check("link('db').p(['x', 'y.z'])", &lost(".p(['x', 'y.z'])", "[\"x\", \"y.z\"]"));
    check("p('x')", &lost("p('x')", "[\"x\"]"));
}

#[test]
fn absent_links_are_reported() {
    check("link('x').address", "NoLink at `link('x')`: Can't find link 'x'");
    check("link('gone')", "NoLink at `link('gone')`: Can't find link 'gone'");
    check("if_link('x').p('y').else('none')", "\"none\"");
    check("if_link('x').instances.map { |i| i.address }.join(',').else('none')", "\"none\"");
    check("if_link('db').p('port').else('none')", "6400");
    check("if_link('db').p('nope').else(1)", "NoProperty at `.p('nope')`: Can't find property '[\"nope\"]'");
    check("if_link('x')", "null");
    check("if_link('db') { |l| l.address }.else { 'none' }", "\"db.internal\"");
    check("if_link('x') { |l| l.address }.else { 'none' }", "\"none\"");
    check("if_p('name').else('x')", "\"app\"");
    check("if_p('nothing').else('x')", "\"x\"");
    check("if_p('name', 'a.b')", "[\"app\", 5]");
    check("if_p('name', 'a.b') { |n, b| \"#{n}#{b}\" }.else('x')", "\"app5\"");
    check("link('db').if_p('nope').else(0)", "0");
    check(
        "link('db').p('nope').else(0)",
        "Syntax at `.else(0)`: `else` goes with if_link and if_p; a default is written p(name, default)",
    );
}

#[test]
fn addresses_come_from_the_content_or_the_director() {
    check("link('db').address", "\"db.internal\"");
    check("link('db').address(azs: ['z1', 'z2'], status: 'healthy')", "\"q-z1+z2-healthy.db\"");
    check("link('db').address(azs: [p('name')])", "\"q-app-default.db\"");
    check("link('group').address", "Director at `.address`: link.address requires bosh director");
    check(
        "link('group').address(azs: ['z'])",
        "Director at `.address(azs: ['z'])`: link.address requires bosh director",
    );
    check(
        "link('db').address(zone: 1)",
        "Mismatch at `1`: `address` takes azs, status, uuid and initial_health_check, not `zone`",
    );
    check("link('db').p('x', y: 1)", "Syntax at `p`: `p` takes no argument `y:`");
}

#[test]
fn instances_are_accessed_one_by_one() {
    check("link('db').instances[0].address", "\"10.0.0.4\"");
    check("link('db').instances.first.bootstrap", "true");
    check("link('db').instances.last.id", "\"two\"");
    check("link('db').instances[-1].index", "1");
    check("link('db').instances.map { |i| i.address }.join(\",\")", "\"10.0.0.4,10.0.0.5\"");
    check("link('db').instances.map(&:address).join(', ')", "\"10.0.0.4, 10.0.0.5\"");
    check("link('db').instances.map do |i| i.az end", "[\"z1\", \"z2\"]");
    check(
        "link('db').instances.map { |i| \"#{i.address}:#{link('db').p(\"port\")}\" }.first",
        "\"10.0.0.4:6400\"",
    );
    check("link('db').instances.select { |i| i.az == 'z2' }.map(&:id)", "[\"two\"]");
    check("link('db').instances.reject(&:bootstrap)[0].name", "\"db\"");
    check("link('db').instances.find { |i| i.bootstrap }&.address", "\"10.0.0.4\"");
    check("link('db').instances.find { |i| i.index > 7 }&.address", "null");
    check("link('db').instances.sort_by { |i| -i.index }.map(&:index)", "[1, 0]");
    check("link('db').instances.map(&:name).uniq", "[\"db\"]");
    check("link('db').instances.any? { |i| i.az == 'z9' }", "false");
    check("link('db').instances.all?(&:id)", "true");
    check("link('db').instances.length", "2");
    // What links called their instances first.
    check("link('db').nodes.map(&:address)", "[\"10.0.0.4\", \"10.0.0.5\"]");
    check("link('db').nodes[0].bootstrap", "true");
    check("link('db').nodes == link('db').instances", "true");
    check("link('bare').nodes", "[]");
    check("link('bare').instances", "[]");
    check("link('bare').instances.empty?", "true");
    check("link('bare').instances.first", "null");
    check("link('bare').instances.first.address", "Mismatch at `.address`: nil has no `address`");
    check(
        "link('db').instances[0].ip",
        "Mismatch at `.ip`: an instance has no `ip`; it has name, id, index, az, address, bootstrap",
    );
    check(
        "link('db').members",
        "Mismatch at `.members`: a link has no `members`; it has address, instances, properties, p and if_p",
    );
}

#[test]
fn own_properties_and_spec_are_seen() {
    check("p('a.b')", "5");
    check("p('a')['b']", "5");
    check("p('x', link('db').p('port'))", "6400");
    check("properties.a.b", "5");
    check("spec.index", "3");
    check("p('a').b", "Mismatch at `.b`: a map has no `b`; its key is read with [\"b\"]");
}

#[test]
fn operators_are_those_of_ruby() {
    check("'a' + 'b' + \"c\"", "\"abc\"");
    check("1 + 2 * 3 - -4", "11");
    check("-7 / 2", "-4");
    check("-7 % 3", "2");
    check("7 / 2.0", "3.5");
    check("1 / 0", "Mismatch at `1 / 0`: a number is divided by 0");
    check("9223372036854775807 + 1", "Limit at `9223372036854775807 + 1`: this number is too big");
    check("nil || false || 'x'", "\"x\"");
    check("1 && nil", "null");
    check("!nil", "true");
    check("1 == 1.0", "true");
    check("'a' != 'b' && 2 >= 2 && 'a' < 'b'", "true");
    check("p('nothing', nil).nil? ? 'none' : 'some'", "\"none\"");
    check("(1 + 2) * 3", "9");
    check("[1, 2] + [3]", "[1, 2, 3]");
    check("{ 'b' => 1, a: [nil] }", "{a: [null], b: 1}");
    check("'a' < 1", "Mismatch at `'a' < 1`: text cannot be compared with a number");
    check("'a' + 1", "Mismatch at `'a' + 1`: text and a number cannot be put together so");
    check("2 * 'a'", "Mismatch at `2 * 'a'`: a number and text cannot be put together so");
    check("{} * 2", "Mismatch at `{} * 2`: a map and a number cannot be put together so");
    check("1_000", "1000");
}

#[test]
fn texts_are_read_and_written_as_in_ruby() {
    check(r#""a\n\t\"\\\#{x}""#, r##""a\n\t\"\\#{x}""##);
    check(r"'it\'s \n'", r#""it's \\n""#);
    check(r##""<#{[1, nil, "q", {a: 1.0}]}>""##, r##""<[1, nil, \"q\", {\"a\"=>1.0}]>""##);
    check(r##""#{nil}#{true}#{1.5}#{:sym}""##, "\"true1.5sym\"");
    check("\"#{\"#{'}'}\"}\"", "\"}\"");
    check("p('list').to_json", "\"[1,2]\"");
    check("JSON.dump(p('list'))", "\"[1,2]\"");
    check("JSON.generate({b: 1})", r#""{\"b\":1}""#);
    check("{b: nil, a: \"x\\\"\\n\"}.to_json", r#""{\"a\":\"x\\\"\\n\",\"b\":null}""#);
    check("100000000000000000000.0.to_s", "\"1.0e+20\"");
    check("0.00001.to_s", "\"1.0e-05\"");
    check("'a,b,,'.split(',')", "[\"a\", \"b\"]");
    check("' Äb '.strip.downcase.size", "2");
    check("'12ab'.to_i + 1", "13");
    check("'abc'.start_with?('ab') && 'abc'.include?('c')", "true");
    check("[3, 1, 2].sort.reverse", "[3, 2, 1]");
    check("[[1, [2]], nil].flatten.compact.join('-')", "\"1-2\"");
    check("{b: 1}.map { |k, v| \"#{k}=#{v}\" }", "[\"b=1\"]");
    check("{b: 1, c: 2}.select { |k, v| v > 1 }.keys", "[\"c\"]");
    check("[1, 2].include?(2)", "true");
}

#[test]
fn unknown_values_stay_unknown() {
    check("link('live').address", "${services.db.network_node.ip}");
    check("link('live').instances[1].address", "${services.db2.network_node.ip}");
    check("'http://' + link('live').address + ':1'", "http://${services.db.network_node.ip}:1");
    check("\"#{link('live').address}:#{link('live').p('port')}\"", "${services.db.network_node.ip}:1");
    check(
        "link('live').instances.map(&:address).join(',')",
        "${services.db.network_node.ip},${services.db2.network_node.ip}",
    );
    check("link('live').p('all')", "${services.db.outputs}");
    check("link('live').p('all.a b.c')", "${services.db.outputs.\"a b\".c}");
    check("link('live').properties.all.x[2]", "${services.db.outputs.x[2]}");
    check("link('live').p('all', 1)", "${services.db.outputs}");
    check("link('live').address.to_s + '$'", "${services.db.network_node.ip}$");
    let later = "is known only at run time";
    check(
        "link('live').address == 'x'",
        &format!("Unknown at `link('live').address == 'x'`: whether these are the same {later}"),
    );
    check("!link('live').address", &format!("Unknown at `link('live').address`: this condition {later}"));
    check("link('live').address.size", &format!("Unknown at `.size`: `size` of this {later}"));
    check(
        "link('live').address.to_json",
        &format!(
            "Unknown at `.to_json`: whether `${{services.db.network_node.ip}}` is text or a number {later}"
        ),
    );
}

#[test]
fn sensitive_values_stay_sensitive() {
    check("link('db').p('auth.pass')", "secret \"hush\"");
    check("link('db').properties.auth.pass", "secret \"hush\"");
    check("\"x#{p('key')}\"", "secret \"xown\"");
    check("'x' + p('key')", "secret \"xown\"");
    check("[p('key'), 'x'].join(',')", "secret \"own,x\"");
    check("[p('key')].map { |k| k.upcase }[0]", "secret \"OWN\"");
    check("[p('key'), 'x']", "[secret \"own\", \"x\"]");
    check("link('db').p('auth').to_json", r#"secret "{\"pass\":\"hush\",\"user\":\"svc\"}""#);
    check("\"k=#{link('live').p('key')}\"", "secret k=${services.db.key}");
}

#[test]
fn unsupported_syntax_is_reported() {
    let not_run = "this is Ruby that Planloom does not run:";
    check(
        "services.db.port",
        &format!(
            "Unsupported at `services`: {not_run} `services` is neither a variable nor link, if_link, p, if_p, properties or spec"
        ),
    );
    check("p('name').gsub('a', 'b')", &format!("Unsupported at `gsub`: {not_run} the method `gsub`"));
    check("p('name').capitalize", &format!("Unsupported at `.capitalize`: {not_run} `capitalize` of text"));
    for (code, at, what) in [
        ("'x' * 3", "'x' * 3", "`*` of text and a number"),
        ("'%d' % 3", "'%d' % 3", "`%` of text and a number"),
        ("'%d' % [3]", "'%d' % [3]", "`%` of text and a list"),
        ("[1] * 3", "[1] * 3", "`*` of a list and a number"),
        ("[1] * ','", "[1] * ','", "`*` of a list and text"),
        ("[1] - [2]", "[1] - [2]", "`-` of a list and a list"),
        ("[[2, 'b'], [1, 'a']].sort", ".sort", "comparing a list with a list"),
        ("'abc'[0]", "[0]", "`[…]` of text"),
    ] {
        check(code, &format!("Unsupported at `{at}`: {not_run} {what}"));
    }
    check("JSON.parse(1)", &format!("Unsupported at `JSON.parse`: {not_run} `JSON.parse`"));
    check("lambda { 1 }", &format!("Unsupported at `lambda`: {not_run} `lambda`"));
    check("p('a'", "Syntax at ``: expected `,` or `)`, but here it ends");
    check("p()", "Syntax at `p`: `p` takes 1 to 2 arguments, here it gets 0");
    check("link('a', 'b')", "Syntax at `link`: `link` takes one argument, here it gets 2");
    check("p('a') p('b')", "Syntax at `p`: expected the end, found `p`");
    check("", "Syntax at ``: expected a value, but here it ends");
    check("'a", "Syntax at `'`: this text is never closed");
    check(
        "[1].each { |i| i }",
        &format!("Unsupported at `.each {{ |i| i }}`: {not_run} `each` inside of an expression"),
    );
    check("link(1)", "Mismatch at `1`: the name of a link is text, not a number");
}
