use super::{
    super::{Preview, preview},
    shown_problem, world,
};

/// The result of a template; or the problems.
fn filled_in(template: &str) -> String {
    let Preview { text, unsupported, errors } = world().with(|scope| preview(template, scope));
    assert_eq!(text.is_some(), unsupported.is_empty() && errors.is_empty(), "{template}");
    text.unwrap_or_else(|| {
        let lines = unsupported.iter().chain(&errors).map(|problem| shown_problem(template, problem));
        lines.collect::<Vec<_>>().join("\n")
    })
}

#[track_caller]
fn check(template: &str, expected: &str) {
    assert_eq!(filled_in(template), expected, "{template}");
}

#[track_caller]
fn check_refused(template: &str, expected: &[&str]) {
    let reported = filled_in(template).replace("this is Ruby that Planloom does not run: ", "");
    assert_eq!(reported.lines().collect::<Vec<_>>(), expected, "{template}");
}

#[test]
fn text_stays_as_it_is() {
    check("", "");
    check("plain ${x} #{y} %> ü\r\n", "plain ${x} #{y} %> ü\r\n");
    check("a <%% b %> c", "a <% b %> c");
    check("a<%# comment with <% and \" -%>\n b", "a b");
    check("a<% # comment\n %>b", "ab");
    check("a<% %>b<%%>c", "ab<%>c");
}

#[test]
fn lines_are_trimmed_as_erb_does() {
    check("a\n  <%- if true -%>\n  b\n  <%- end -%>\nc\n", "a\n  b\nc\n");
    check("a\n  <% if true %>\n  b\n  <% end %>\nc\n", "a\n  \n  b\n  \nc\n");
    check("a <%- x = 1 -%> b\n", "a  b\n");
    check("<%= 1 -%>\n2", "12");
    check("<%= 1 -%>\r\n2", "12");
    check("<%= 1 -%> \n2", "1 \n2");
    check("\t<%- x = 1 %>a", "a");
}

#[test]
fn values_are_put_in() {
    check("port=<%= link('db').p('port') %>!", "port=6400!");
    check("<%= nil %>|<%= [1, 'a'] %>|<%= 1.0 %>", "|[1, \"a\"]|1.0");
    check("<%= 1 if false %>|<%= 2 unless false %>", "|2");
    check("<%=p('name')%>", "app");
    check("<%= p 'name' %>", "app");
    check("pass=<%= link('db').p('auth.pass') %> <%= \"x#{p('key')}\" %>", "pass=•••••• ••••••");
    check("at <%= link('live').address %>:1", "at ${services.db.network_node.ip}:1");
}

#[test]
fn tests_choose() {
    check("<% if false %>1<% elsif p('a.b') > 4 %>2<% else %>3<% end %>", "2");
    check("<% if false %>1<% elsif nil %>2<% else %>3<% end %>", "3");
    check("<% unless p('list').empty? %>some<% else %>none<% end %>", "some");
    check("<% if true then %>x<% end %>", "x");
    check("<% if true; x = 1; end %><%= x %>", "1");
    check("<% if false\n x = 1\nend %>[<%= x %>]", "[]");
    check("<% x = 1 if true; y = 2 unless true %><%= x %><%= y %>", "1");
}

#[test]
fn links_and_properties_are_evaluated() {
    let if_links = |first: &str, second: &str| {
        format!(
            "<% if_link('{first}') do |l| %>1 <%= l.address %><% end.else_if_link('{second}') do |l| %>2 <%= l.address %>\
             <% end.else do %>none<% end %>"
        )
    };
    check(&if_links("db", "bare"), "1 db.internal");
    check(&if_links("x", "bare"), "2 h");
    check(&if_links("x", "gone"), "none");
    check("<% if_link('x') do |l| %>a<% end %>b", "b");
    check("<% if_p('name', 'a.b') do |name, b| %><%= name %><%= b %><% end.else do %>none<% end %>", "app5");
    check("<% if_p('name', 'nope') do |a, b| %>x<% end.else do %>none<% end %>", "none");
    check("<% if_p('nope') do |a| %>x<% end.else_if_p('a.b') do |b| %><%= b %><% end %>", "5");
    check("<% link('db').if_p('zero') do |z| %>z=<%= z %><% end %>", "z=0");
    check(
        "<% if_link('db') do |l| l.if_p('nope') do |n| %>x<% end.else_if_p('port') do |n| %><%= n %><% end end %>",
        "6400",
    );
    check("<% if_link('db') do %>there<% end %>", "there");
}

#[test]
fn lists_are_gone_through() {
    check("<% link('db').instances.each do |i| %><%= i.address %> <% end %>", "10.0.0.4 10.0.0.5 ");
    check(
        "<%- link('db').instances.each_with_index do |i, n| -%>\nserver.<%= n + 1 %>=<%= i.address %>\n<%- end -%>\n",
        "server.1=10.0.0.4\nserver.2=10.0.0.5\n",
    );
    check("<% p('a').each do |key, value| %><%= key %>=<%= value %><% end %>", "b=5");
    check("<% p('empty').each do |x| %>x<% end %>", "");
    check("<% [[1, 2], [3, 4]].each do |a, b| %><%= a * b %>;<% end %>", "2;12;");
}

#[test]
fn variables_live_where_ruby_has_them() {
    check("<% x = 1 %><% [1, 2].each do |i| x = x + i end %><%= x %>", "4");
    check("<% x = 'o' %><% [1].each do |x| %><%= x %><% end %><%= x %>", "1o");
    check(
        "<% hosts = [] ; link('db').instances.each do |i| ; hosts << i.address ; end %><%= hosts.join(',') %>",
        "10.0.0.4,10.0.0.5",
    );
    check(
        "<%\n  all = link('db').instances\n    .map { |i|\n      i.address\n    }\n  port = link('db').p(\n    'port'\n  )\n%><%= all.join(',') %>:<%= port %>",
        "10.0.0.4,10.0.0.5:6400",
    );
    check("<% x = nil\nx ||= 5\nx += 1 %><%= x %>", "6");
    check("<% s = 'a'; s << 'b' %><%= s %>", "ab");
    check("<% hosts = link('db').instances.map do |i|\n i.id\nend %><%= hosts %>", "[\"one\", \"two\"]");
}

#[test]
fn all_errors_are_reported_once() {
    check(
        "<%= p('x') %> <%= link('y').address %>",
        "NoProperty at `p('x')`: Can't find property '[\"x\"]'\nNoLink at `link('y')`: Can't find link 'y'",
    );
    check(
        "<% [1, 2].each do |i| %><%= p('x') %><% end %>",
        "NoProperty at `p('x')`: Can't find property '[\"x\"]'",
    );
    check("<% x = p('x') %><%= x %><%= x + 1 %>", "NoProperty at `p('x')`: Can't find property '[\"x\"]'");
    check(
        "<% raise 'one only' if link('db').instances.size > 1 %><%= p('x') %>",
        "Raised at `raise`: one only",
    );
    check("<% raise 'never' unless true %>fine", "fine");
    check("<% if p('x') %>a<% else %>b<% end %>c", "NoProperty at `p('x')`: Can't find property '[\"x\"]'");
    check("<% nil.each do |x| %><% end %>", "Mismatch at `nil`: nil has no `each`");
}

#[test]
fn unsupported_ruby_is_reported_with_locations() {
    check_refused("<%== 1 %>", &["Unsupported at `<%== 1 `: `<%==`"]);
    check_refused("a <% x", &["Unsupported at `<% x`: a tag that is never closed"]);
    check_refused(
        "<%= JSON.parse(p('a')) %> <%= p('name').gsub('a', 'b') %>",
        &["Unsupported at `JSON.parse`: `JSON.parse`", "Unsupported at `gsub`: the method `gsub`"],
    );
    check_refused("<% require 'net/http' %>x", &["Unsupported at `require`: `require` of another library"]);
    check("<% require 'json' %>x", "x");
    check_refused(
        "<% while x do %><%= foo %><% end %>y<% if true %>z<% end %>",
        &[
            "Unsupported at `while`: `while`",
            "Unsupported at `foo`: `foo` is neither a variable nor link, if_link, p, if_p, properties or spec",
        ],
    );
    check_refused(
        "<% case p('a') %><% when 1 %>a<% else %>b<% end %><% end %>",
        &["Unsupported at `case`: `case`", "Syntax at `end`: `end` closes nothing"],
    );
    check_refused(
        "<% p('a').zip(1) do |k, v| %><%= k %><% end %>",
        &["Unsupported at `zip`: the method `zip`"],
    );
    check_refused("<% [1].each_slice do |k| %><%= k %><% end %>", &["Unsupported at `do`: `do` after this"]);
    check_refused("<% if true %>a", &["Syntax at ``: this block is never ended: `end` is missing"]);
    check_refused(
        "<% x = [1].map do |i| %>a<%= i %><% end %><%= x %>",
        &["Syntax at ``: expected a value, but here it ends"],
    );
    check_refused(
        "<% x = Foo.new(\n 1,\n 2\n) if y\n z = p('name') %><%= x %><%= z %>",
        &["Unsupported at `Foo`: `Foo`"],
    );
    check_refused(
        "<% if_link('db') do |l| %>a<% else %>b<% end %>",
        &["Syntax at `else`: `else` is not allowed here"],
    );
    check_refused(
        "<% if true %>a<% end.foo do %>b<% end %>",
        &["Unsupported at `.`: a method called on `end`"],
    );
    let alone =
        |name: &str, at: &str| format!("Unsupported at `{at}`: `<<` on a list that is not `{name}`'s alone");
    check_refused("<% a = [1]; b = a; b << 2 %><%= a %>", &[&alone("b", "2")]);
    check_refused("<% a = p('list'); a << 3 %><%= a %>", &[&alone("a", "3")]);
    check_refused("<%= p('name').capitalize %>", &["Unsupported at `.capitalize`: `capitalize` of text"]);
}
