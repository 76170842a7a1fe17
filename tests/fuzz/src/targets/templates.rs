//! Any text can be the template of a job, or a text with references.

use crate::file;
use linking::Questions as _;

pub(crate) fn run() {
    let seeds: Vec<Vec<u8>> = SEEDS.iter().map(|it| it.as_bytes().to_vec()).collect();
    crate::fuzz("templates", check, &seeds, WORDS);
}

fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let mut workspace = capabilities::workspace();
    workspace.set_files(vec![file("manifest.yml", MANIFEST)]);
    workspace.set_releases(vec![file("r__web.yml", SPEC)]);
    let first = workspace.preview_template("g/web", "web.erb", text);
    assert_eq!(first, workspace.preview_template("g/web", "web.erb", text));
    workspace.set_files(vec![file("app.yaml", APP)]);
    workspace.preview_template("services.b", "text", text);
}

const MANIFEST: &str = "name: d\nreleases: [{name: r, version: 1}]\ninstance_groups:\n- name: g\n  instances: 2\n  networks: [{name: n}]\n  jobs:\n  - {name: web, release: r, properties: {port: 1, list: [a, b], map: {k: v}}}\n";
const SPEC: &str = "name: web\ntemplates: {}\nprovides: [{name: web, type: http, properties: [port]}]\nconsumes: [{name: web, type: http}]\nproperties: {port: {default: 80}, list: {}, map: {}}\n";
const APP: &str = "payloads: {p: {runtime: vm, params: {image_tag: a}}}\nservices:\n  a: {payload: p, provides: {db: {type: sql, properties: {port: 1}}}}\n  b: {payload: p, consumes: {db: {type: sql}}}\n";

const SEEDS: &[&str] = &[
    "<% if_p('port', 'list') do |port, list| -%>\nport=<%= port %>\n<% end.else do %>none<% end %>",
    "<%= link('web').instances.map { |it| \"#{it.address}:#{it.index}\" }.join(',') %><%= p('map.k', 1).to_s * 2 %>",
    "${link(\"db\").p(\"port\", 5432)} $${x} ${links.db.address}",
    "<% p('list').each_with_index do |it, n| %><%= it.upcase if n > 0 && it != 'a' %><% end %><%# comment %>",
];

const WORDS: &[&str] = &[
    "<%",
    "<%=",
    "-%>",
    "%>",
    "<%#",
    "<%%",
    "p('",
    "link('",
    "if_p('",
    "if_link('",
    ".p('",
    ".instances",
    ".each do |x|",
    ".map { |x| ",
    " end",
    ".else do",
    ".else_if_p('",
    ".join(',')",
    ".to_json",
    ".nil?",
    "unless ",
    "elsif ",
    "||=",
    "=~ /",
    "#{",
    "spec.",
    "${",
    "$${",
    "while true",
    "* 1000000",
    "<<",
    "1..1000000000",
];
