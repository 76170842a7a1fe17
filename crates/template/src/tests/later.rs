//! Placeholders of BOSH, `((…))`, which are filled in later.

use super::{
    super::{instance_ids, placeholders, preview, references},
    World, show, shown_problem,
};

const DEPLOYED: &str = r#"
links:
  s:
    address: q-s0.s.((net)).d.bosh
    instance_group: s
    instances:
    - {name: s, id: ~, index: 0, az: z1, address: ((s.0.net.ip)), bootstrap: true}
    - {name: s, id: ~, index: 1, az: z2, address: 10.0.0.5, bootstrap: false}
    properties: {port: ((port))}
properties:
  port: ((port))
  url: http://((host)):80
  cert: ((cert))
  plain: a(b)c
  names: {((x)): 1}
"#;

/// The result of a template of a job of BOSH; or the problems.
fn made(template: &str) -> String {
    let world = World::new(DEPLOYED);
    let made = world.with(|scope| {
        let seen = |(name, content): (&_, &model::Value)| {
            (std::sync::Arc::clone(name), placeholders(instance_ids(content.clone())))
        };
        let links = model::map_of(scope.links.iter().map(seen));
        let properties = scope.properties.cloned().map(placeholders);
        preview(template, &super::Scope { links: &links, properties: properties.as_ref(), ..*scope })
    });
    let problems: Vec<String> =
        made.unsupported.iter().chain(&made.errors).map(|it| shown_problem(template, it)).collect();
    made.text.unwrap_or_else(|| problems.join("\n"))
}

#[track_caller]
fn check(code: &str, expected: &str) {
    assert_eq!(made(&format!("<%= {code} %>")), expected, "{code}");
}

#[track_caller]
fn check_later(code: &str, at: &str, what: &str) {
    let expected = format!("Unknown at `{at}`: {what} is known only at run time");
    assert_eq!(made(&format!("<%= {code} %>")), expected, "{code}");
}

#[test]
fn ids_of_instances_are_named() {
    check("link('s').instances.map(&:id).join(',')", "((s.0.id)),((s.1.id))");
    check("link('s').instances[1].id", "((s.1.id))");
    assert_eq!(
        made("<% link('s').instances.each do |i| %>server.<%= i.id %>=<% end %>"),
        "server.((s.0.id))=server.((s.1.id))="
    );
    // A link that is written out is known completely.
    let written = World::new("links: {w: {instances: [{id: ~, index: 0}, {index: 1}, 7]}}");
    let shown = written.with(|scope| {
        let content = scope.links.get("w").expect("it is there");
        (show(content), show(&instance_ids(content.clone())))
    });
    assert_eq!(shown.0, shown.1);
    let given = World::new("links: {g: {instance_group: g, instances: [{id: a, index: 0}, {index: 1}, 7]}}");
    let shown = given.with(|scope| show(&instance_ids(scope.links.get("g").expect("it is there").clone())));
    assert_eq!(shown, r#"{instance_group: "g", instances: [{id: "a", index: 0}, {index: 1}, 7]}"#);
}

#[test]
fn placeholders_are_put_into_text() {
    check("p('port')", "((port))");
    check("\"x#{p('port')}y\"", "x((port))y");
    check("'x' + p('port') + 'y'", "x((port))y");
    check("p('url') + p('port')", "http://((host)):80((port))");
    check("link('s').instances.map(&:address).join(',')", "((s.0.net.ip)),10.0.0.5");
    check("link('s').address", "q-s0.s.((net)).d.bosh");
    check("p('nope', nil) || p('port') || 'none'", "((port))");
    check("p('port').to_s", "((port))");
    check("if_p('port').else('none')", "((port))");
    check("p('nope', p('port'))", "((port))");
    check(
        "link('s').instances.map { |i| \"#{i.address}:1\" }.to_json",
        r#"["((s.0.net.ip)):1","10.0.0.5:1"]"#,
    );
    check("link('s').instances.map(&:address).to_json", r#"["((s.0.net.ip))","10.0.0.5"]"#);
    check("p('names')", r#"{"((x))"=>1}"#);
    assert_eq!(made("<% x = nil; x ||= p('port'); x ||= 'none' %><%= x %>"), "((port))");
    assert_eq!(made("<% x = 'a'; x << p('port') %><%= x %>"), "a((port))");
}

#[test]
fn unknown_values_are_not_computed_with() {
    check_later("p('port').to_i + 1", ".to_i", "`to_i` of this");
    check_later("p('port') == 6400", "p('port') == 6400", "whether these are the same");
    check_later("[1].include?(p('port'))", ".include?(p('port'))", "whether this is in the list");
    check_later("p('port').length", ".length", "`length` of this");
    check_later("('x' + p('port')).length", ".length", "`length` of this");
    check_later("\"x#{p('port')}\".upcase", ".upcase", "`upcase` of this");
    check_later("link('s').instances[0].address.split('.').first", ".split('.')", "`split` of this");
    check_later("p('port') + 1", "p('port') + 1", "this result");
    check_later("p('port') + p('port')", "p('port') + p('port')", "this result");
    check_later("p('port') * 2", "p('port') * 2", "this result");
    check_later("-p('port')", "p('port')", "`-` of this");
    check_later("p('port') < 5", "p('port') < 5", "which of these comes first");
    check_later("link('s').instances.map(&:address).sort", ".sort", "which of these comes first");
    check_later("link('s').instances.map(&:address).uniq", ".uniq", "which of these are the same");
    check_later("p('port') ? 1 : 2", "p('port')", "this condition");
    check_later("!p('port')", "p('port')", "this condition");
    check_later("p('port') && 1", "p('port')", "this condition");
    check_later("p('port').nil?", ".nil?", "whether this is nil");
    check_later("'abc'.start_with?(p('port'))", "p('port')", "this text");
    check_later("link(p('port'))", "p('port')", "the name of the link");
    check_later("p(p('port'), 1)", "p('port')", "the name of this property");
    check_later("p('cert.ca')", "p('cert.ca')", "what is in `cert`");
    check_later("p('cert.ca', 1)", "p('cert.ca', 1)", "what is in `cert`");
    check_later("p('cert')['ca']", "['ca']", "the content of this text");
    check_later("{p('port') => 1}", "p('port')", "what this key is");
    check_later("{a: 1}.fetch(p('port'), 2)", ".fetch(p('port'), 2)", "the requested key");
    check_later("{a: 1}.key?(p('port'))", ".key?(p('port'))", "the requested key");
    check_later("p('port').to_json", ".to_json", "whether `((port))` is text or a number");
    assert_eq!(
        made("<% if p('port') %>a<% end %>"),
        "Unknown at `p('port')`: this condition is known only at run time"
    );
}

#[test]
fn other_text_is_no_placeholder() {
    check("p('plain').length", "5");
    check("'((port))'.length", "8");
}

#[test]
fn references_in_the_text_are_found() {
    let found = |template: &str| -> Vec<String> {
        references(template).iter().map(|it| template[it.start..it.end].to_owned()).collect()
    };
    assert_eq!(found("a ${link(\"db\").address}:${ x }\n${é"), ["${link(\"db\").address}", "${ x }"]);
    assert_eq!(found("<%= \"${x}\" %> <%# ${y} %> ${z}"), ["${z}"]);
    assert_eq!(found("${a <%= 1 %>} $ {b} #{c}"), Vec::<String>::new());
    assert_eq!(found("${it's}${a}"), ["${it's}", "${a}"]);
}
