//! Code that is not supported is skipped, block by block, and the code after it is read.

use super::{
    super::{Preview, preview},
    shown_problem, world,
};

/// The unsupported places of a template; if there are none, its result or its errors.
fn reported(template: &str) -> Vec<String> {
    let Preview { text, unsupported, errors } = world().with(|scope| preview(template, scope));
    let problems = unsupported.iter().chain(&errors).map(|it| shown_problem(template, it));
    text.map_or_else(|| problems.collect(), |text| vec![text])
}

/// Unsupported Ruby, each by the place and its name.
#[track_caller]
fn check(template: &str, expected: &[&str]) {
    let prefix = "this is Ruby that Planloom does not run: ";
    let reported: Vec<_> = reported(template).iter().map(|it| it.replacen(prefix, "", 1)).collect();
    assert_eq!(reported, expected, "{template}");
}

const FOO: &str = "Unsupported at `Foo`: `Foo`";
const WHILE: &str = "Unsupported at `while`: `while`";
/// A surplus `end`, which shows that all blocks before it are ended.
const LEFT_OVER: &str = "Syntax at `end`: `end` closes nothing";

fn unknown(name: &str) -> String {
    format!(
        "Unsupported at `{name}`: `{name}` is neither a variable nor link, if_link, p, if_p, properties or spec"
    )
}

#[test]
fn mistakes_are_reported_as_unsupported_ruby() {
    assert_eq!(
        reported("<% if true %>a"),
        [
            "Syntax at ``: this is Ruby that Planloom does not run: this block is never ended: `end` is missing"
        ]
    );
}

#[test]
fn statements_end_where_they_do_in_ruby() {
    check("<% x = 1 \\\n + 2 %><%= x %>", &["3"]);
    check("<% x = p('list')\n[7].each do |i| %><%= i %><% end %>", &["7"]);
    check("<% x = 1 %><%= x!=2 %>", &["true"]);
    check("<% Foo; Bar %>", &[FOO, "Unsupported at `Bar`: `Bar`"]);
    check("<% Foo\nBar %>", &[FOO, "Unsupported at `Bar`: `Bar`"]);
    check("<% 5 = 1 %>", &["Syntax at `=`: expected the end of the statement, found `=`"]);
    check("<% p('name') p('list') %>", &["Syntax at `p`: expected the end of the statement, found `p`"]);
    check("<% Foo 'a; b' %>x", &[FOO]);
    check("<% x = p(Foo,\n 'a') %>b", &[FOO]);
}

#[test]
fn tags_are_distinguished() {
    check("a<%# one\n two %>b", &["ab"]);
    check("a<%-# one\n-%>b", &["ab"]);
    check("<%-= 1 %>", &["Unsupported at `<%-= 1 `: `<%-=`"]);
    check("ab <%= 'x %%> y' %> c", &["Unsupported at `<%= 'x %%> y' `: `%%>`"]);
}

#[test]
fn errors_can_be_raised_without_words() {
    let raised = "Raised at `raise`: the template raises an error";
    check("<% raise %>", &[raised]);
    check("<% raise if true %>", &[raised]);
    check("<% raise unless false %>", &[raised]);
    check("<% raise if false %>a", &["a"]);
    check("<% raise; x = 1 %>", &[raised]);
}

#[test]
fn blocks_belong_to_what_takes_one() {
    check("<% link('db') do |l| %>a<% end %>", &["Unsupported at `do`: `do` after this"]);
    check("<% p('list').first do |x| %>a<% end %>", &["Unsupported at `do`: `do` after this"]);
    check("<% if_link('db', &:address) do |l| %>a<% end %>", &["Unsupported at `do`: `do` after this"]);
    check("<% if true %>a<% rescue %>b<% end %>", &[&unknown("rescue")]);
}

#[test]
fn variables_of_blocks_end_with_them() {
    let i = unknown("i");
    check("<% [1].each do |i| %><% end %><%= i %>", &[&i]);
    check("<% [1].each do |i| %><% [2].each do |i| %><% end %><% end %><%= i %>", &[&i]);
    check("<% x = [1].map { |i| i } %><%= i %>", &[&i]);
    check("<% [1].each do |i| %><% x = [2].map { |i| i } %><%= i %><%= x %><% end %>", &["1[2]"]);
}

#[test]
fn blocks_side_by_side_are_no_depth() {
    check(&"<% if true %>x<% end %>".repeat(50), &["x".repeat(50).as_str()]);
}

#[test]
fn loops_are_passed_over_to_their_end() {
    for (template, first) in [
        ("<% while x %>a<% end %><% end %>", WHILE),
        ("<% while x do %>a<% end %><% end %>", WHILE),
        ("<% while x; end %><% end %>", WHILE),
        ("<% while x; y = Foo; end %><% end %>", WHILE),
        ("<% while x; while y; end; Foo; end %><% end %>", WHILE),
        ("<% until x do %>a<% end %><% end %>", "Unsupported at `until`: `until`"),
        ("<% for i in [1] do %>a<% end %><% end %>", "Unsupported at `for`: `for`"),
        ("<% Foo while x %><% end %>", FOO),
        ("<% Foo if x %><% end %>", FOO),
        ("<% p('a').zip(1) if true %><% end %>", "Unsupported at `zip`: the method `zip`"),
        ("<% x = [1].map do |i| i end + Foo %><% end %>", FOO),
        ("<% x = [1].map do |i| Foo end %><% end %>", FOO),
        ("<% Foo do |a| bar do |b| %>x<% end %><% end %><% end %>", FOO),
    ] {
        check(template, &[first, LEFT_OVER]);
    }
    check("<% if true %><% Foo end %>x", &[FOO]);
}

#[test]
fn choices_are_passed_over_to_their_end() {
    let case = "Unsupported at `case`: `case`";
    check("<% x = case p('a.b')\n when 5 then 'y'\n else 'n'\n end %><%= x %>", &[case]);
    check("<% case x %><% when Foo then 1 %>a<% when 'b; c' %>d<% end %>", &[case]);
    check("<% begin %>a<% rescue Foo %>b<% ensure %>c<% end %>", &["Unsupported at `begin`: `begin`"]);
}

#[test]
fn parameters_of_blocks_that_are_not_run_are_known() {
    let zip = "Unsupported at `zip`: the method `zip`";
    check("<% p('a').zip(1) do |k, v| %><%= k %><%= v %><% end %>", &[zip]);
    check("<% p('a').zip(1) do |k| %><%= k %><%= v %><% end %>", &[zip, &unknown("v")]);
}
