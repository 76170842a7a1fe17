//! Templates as releases write them.

use super::{
    super::{Preview, preview},
    World,
};

#[track_caller]
fn check(template: &str, world: &str, expected: &str) {
    let made = World::new(world).with(|scope| preview(template, scope));
    assert_eq!(made, Preview { text: Some(expected.to_owned()), ..Preview::default() });
}

#[test]
fn members_of_a_quorum() {
    check(
        "# Written by the job; do not edit.\n\
         clientPort=<%= p(\"client_port\") %>\n\
         <% link(\"peers\").instances.each do |i| -%>\n\
         server.<%= i.index + 1 %>=<%= i.address %>:<%= p(\"quorum_port\") %>:<%= p(\"leader_election_port\") %>\n\
         <% end -%>\n\
         <% if_p(\"max_client_connections\") do |most| -%>\n\
         maxClientCnxns=<%= most %>\n\
         <% end -%>\n",
        "
links:
  peers:
    instances: [{index: 0, address: 10.1.0.1}, {index: 2, address: 10.1.0.3}]
    properties: {}
properties: {client_port: 2181, quorum_port: 2888, leader_election_port: 3888}
",
        "# Written by the job; do not edit.\n\
         clientPort=2181\n\
         server.1=10.1.0.1:2888:3888\n\
         server.3=10.1.0.3:2888:3888\n",
    );
}

const DATABASE: &str = "\
<%-
  scheme = p('db.scheme', 'mysql')
  host = p('db.host', nil)
  port = nil
  if_link('database') do |db|
    host ||= db.address
    port = db.p('port')
  end.else do
    port = p('db.port')
  end
  raise 'a database is needed' if host.nil?
  hosts = []
  if_link('database') { |db| db.instances }.else([]).each do |instance|
    hosts << \"#{instance.address}:#{port}\"
  end
-%>
url: <%= \"#{scheme}://#{host}:#{port}\" %>
hosts: <%= hosts.to_json %>
password: <%= p('db.password') %>
";

#[test]
fn a_database_by_link_or_by_properties() {
    let linked = "
links: {database: {address: q-s0.db, instances: [{address: 10.0.0.1}, {address: 10.0.0.2}], properties: {port: 5432}}}
properties: {db: {scheme: postgres, password: secret x}}
";
    let reported =
        "url: postgres://q-s0.db:5432\nhosts: [\"10.0.0.1:5432\",\"10.0.0.2:5432\"]\npassword: ••••••\n";
    check(DATABASE, linked, reported);
    let written = "{links: {}, properties: {db: {host: h, port: 1, password: z}}}";
    check(DATABASE, written, "url: mysql://h:1\nhosts: []\npassword: z\n");
}

#[test]
fn a_proxy_with_one_section_for_each_backend() {
    check(
        "<%- backends = link('web').instances.sort_by { |i| i.address } -%>\n\
         backend all\n\
         <%- backends.each_with_index do |backend, n| -%>\n\
        \x20 server node<%= n %> <%= backend.address %>:<%= link('web').p('port', 80) %><%= ' backup' unless backend.bootstrap %>\n\
         <%- end -%>\n\
         <%- unless backends.any? -%>\n\
        \x20 # none\n\
         <%- end -%>\n",
        "links: {web: {instances: [{address: b, bootstrap: true}, {address: a, bootstrap: false}], properties: {}}}",
        "backend all\n  server node0 a:80 backup\n  server node1 b:80\n",
    );
}
