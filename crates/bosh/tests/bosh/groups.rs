//! Instance groups: networks, instances and their addresses.

use std::fmt::Write;

use expect_test::{Expect, expect};
use links::Profile;

use crate::files::Files;

const CLOUD: &str = "\
networks:
- {name: private, type: manual}
- {name: front, type: manual}
- {name: cloud, type: dynamic}
- {name: public, type: vip}
azs: [{name: z1}, {name: z2}]
";

/// Reads one group, with a cloud config, and compares its instances and the diagnostics.
#[track_caller]
fn check(group: &str, expected: Expect) {
    let manifest = format!("name: shop\ninstance_groups: [{{{group}}}]\n");
    let mut shown = String::new();
    for profile in [Profile::Bosh, Profile::Strict] {
        let files = Files::new([("d.yml", manifest.as_str()), ("cloud.yml", CLOUD)]);
        let read = files.read(profile);
        if profile == Profile::Bosh {
            show(&read.site.deployments[0].groups[0], &mut shown);
        }
        for it in &read.diagnostics {
            let (name, severity) = (profile.as_str(), it.severity.as_str());
            let _ = writeln!(shown, "{name}: {severity}: {}", it.message);
        }
    }
    expected.assert_eq(&shown);
}

fn show(group: &links::Group, shown: &mut String) {
    let text = |it: &model::Value| it.as_str().unwrap_or("?").to_owned();
    let default = group.default_network.map_or("nowhere", |it| &group.networks[it].name);
    let errand = if group.errand { ", an errand" } else { "" };
    let _ = writeln!(shown, "{} in {default}{errand}", group.name);
    for (network, address) in &group.addresses {
        let _ = writeln!(shown, "  {network}: {}", text(address));
    }
    for it in &group.instances {
        let az = it.az.as_deref().unwrap_or("-");
        let first = if it.bootstrap { ", first" } else { "" };
        let _ = writeln!(shown, "  {} in {az}{first}", it.index);
        for (network, address) in &it.addresses {
            let _ = writeln!(shown, "    {network}: {} {}", text(address), text(&it.dns_addresses[network]));
        }
    }
}

#[test]
fn one_network_is_the_default() {
    check(
        "name: web, instances: 2, networks: [{name: private}], azs: [z1]",
        expect![[r#"
        web in private
          private: q-s0.web.private.shop.bosh
          0 in z1, first
            private: ((web.0.private.ip)) ((web.0.id)).web.private.shop.bosh
          1 in z1
            private: ((web.1.private.ip)) ((web.1.id)).web.private.shop.bosh
    "#]],
    );
    check(
        "name: web, instances: 0, networks: [{name: private}]",
        expect![[r#"
        web in private
          private: q-s0.web.private.shop.bosh
    "#]],
    );
}

#[test]
fn the_addressable_network_comes_before_that_of_the_gateway() {
    let networks =
        "networks: [{name: private, default: [dns, addressable]}, {name: front, default: [gateway]}]";
    check(
        &format!("name: web, instances: 1, {networks}"),
        expect![[r#"
        web in private
          front: q-s0.web.front.shop.bosh
          private: q-s0.web.private.shop.bosh
          0 in -, first
            front: ((web.0.front.ip)) ((web.0.id)).web.front.shop.bosh
            private: ((web.0.private.ip)) ((web.0.id)).web.private.shop.bosh
    "#]],
    );
    let networks = "networks: [{name: private, default: [dns]}, {name: front, default: [gateway]}]";
    check(
        &format!("name: web, instances: 1, {networks}"),
        expect![[r#"
        web in front
          front: q-s0.web.front.shop.bosh
          private: q-s0.web.private.shop.bosh
          0 in -, first
            front: ((web.0.front.ip)) ((web.0.id)).web.front.shop.bosh
            private: ((web.0.private.ip)) ((web.0.id)).web.private.shop.bosh
    "#]],
    );
}

#[test]
fn defaults_are_checked() {
    check(
        "name: web, instances: 0, networks: [{name: private}, {name: front}]",
        expect![[r#"
        web in nowhere
          front: q-s0.web.front.shop.bosh
          private: q-s0.web.private.shop.bosh
        bosh: error: Instance group 'web' must specify which network is default for dns, gateway, since it has more than one network configured
        strict: error: the instance group `web` has several networks, and none is the default for dns and gateway
    "#]],
    );
    check(
        "name: web, instances: 0, networks: [{name: private, default: [dns, gateway]}, {name: front, default: [gateway]}]",
        expect![[r#"
            web in private
              front: q-s0.web.front.shop.bosh
              private: q-s0.web.private.shop.bosh
            bosh: error: Instance group 'web' specified more than one network to contain default. 'gateway' has default networks: 'private', 'front'.
            strict: error: several networks are the default for gateway: `private`, `front`
        "#]],
    );
    check(
        "name: web, instances: 0, networks: []",
        expect![[r#"
        web in nowhere
        bosh: error: Instance group 'web' must specify at least one network
        strict: error: the instance group `web` is in no network
    "#]],
    );
    check(
        "name: web, instances: 0",
        expect![[r#"
        web in nowhere
        bosh: error: Instance group 'web' must specify at least one network
        strict: error: the instance group `web` is in no network
    "#]],
    );
    check(
        "name: web, instances: 0, networks: {a: b}",
        expect![[r#"
        web in nowhere
        bosh: error: `networks` is a list, not a map
        strict: error: `networks` is a list, not a map
    "#]],
    );
    check(
        "name: web, instances: 0, networks: [{name: privat}]",
        expect![[r#"
        web in privat
          privat: q-s0.web.privat.shop.bosh
        bosh: error: Instance group 'web' references an unknown network 'privat'
        strict: error: the cloud config has no network `privat`
    "#]],
    );
    check(
        "name: web, instances: 0, networks: [{name: ((net))}]",
        expect![[r#"
        web in ((net))
          ((net)): q-s0.web.((net)).shop.bosh
    "#]],
    );
    check(
        "name: web, instances: 0, networks: [{name: private, default: [gatewey]}]",
        expect![[r#"
        web in private
          private: q-s0.web.private.shop.bosh
        bosh: error: Instance group 'web' specified an invalid default network property 'gatewey', valid properties are: dns, gateway
        strict: error: a network cannot be the default for `gatewey`
    "#]],
    );
    check(
        "name: web, instances: 0, networks: [{name: private, default: [dns]}, {name: public, default: [gateway]}]",
        expect![[r#"
            web in public
              private: q-s0.web.private.shop.bosh
              public: q-s0.web.public.shop.bosh
            bosh: error: Can't provide any defaults since this is a VIP network
            strict: error: `public` is a VIP network, which cannot be the default for anything
        "#]],
    );
}

#[test]
fn static_ips_are_given_out_in_order() {
    check(
        "name: web, instances: 3, azs: [z1, z2], \
         networks: [{name: private, static_ips: [10.0.0.9, 10.0.0.4 - 10.0.0.5]}]",
        expect![[r#"
            web in private
              private: q-s0.web.private.shop.bosh
              0 in z1, first
                private: 10.0.0.9 ((web.0.id)).web.private.shop.bosh
              1 in z2
                private: 10.0.0.4 ((web.1.id)).web.private.shop.bosh
              2 in z1
                private: 10.0.0.5 ((web.2.id)).web.private.shop.bosh
        "#]],
    );
    check(
        "name: web, instances: 2, networks: [{name: private, static_ips: [10.0.0.9]}]",
        expect![[r#"
            web in private
              private: q-s0.web.private.shop.bosh
              0 in -, first
                private: 10.0.0.9 ((web.0.id)).web.private.shop.bosh
              1 in -
                private: ((web.1.private.ip)) ((web.1.id)).web.private.shop.bosh
            bosh: error: Instance group 'web' has 2 instances but was allocated 1 static IPs in network 'private'
            strict: error: `private` lists 1 static IPs for the 2 instances of `web`
        "#]],
    );
    check(
        "name: web, instances: 2, networks: [{name: private, static_ips: [10.0.0.9, 10.0.0.9]}]",
        expect![[r#"
            web in private
              private: q-s0.web.private.shop.bosh
              0 in -, first
                private: 10.0.0.9 ((web.0.id)).web.private.shop.bosh
              1 in -
                private: 10.0.0.9 ((web.1.id)).web.private.shop.bosh
            bosh: error: Instance group 'web' specifies static IP '10.0.0.9' more than once
            strict: error: `10.0.0.9` is listed twice
        "#]],
    );
    check(
        "name: web, instances: 1, networks: [{name: private, static_ips: [10.0.0]}]",
        expect![[r#"
            web in private
              private: q-s0.web.private.shop.bosh
              0 in -, first
                private: ((web.0.private.ip)) ((web.0.id)).web.private.shop.bosh
            bosh: error: Invalid IP range format: 10.0.0
            strict: error: `10.0.0` is neither an IP nor a range of them
        "#]],
    );
    check(
        "name: web, instances: 1, networks: [{name: private, static_ips: ((ips))}]",
        expect![[r#"
        web in private
          private: q-s0.web.private.shop.bosh
          0 in -, first
            private: ((web.0.private.ip)) ((web.0.id)).web.private.shop.bosh
    "#]],
    );
    check(
        "name: web, instances: 1, networks: [{name: private, static_ips: [((ip))]}]",
        expect![[r#"
        web in private
          private: q-s0.web.private.shop.bosh
          0 in -, first
            private: ((ip)) ((web.0.id)).web.private.shop.bosh
    "#]],
    );
}

#[test]
fn dynamic_networks_have_names_only() {
    check(
        "name: web, instances: 1, networks: [{name: cloud}]",
        expect![[r#"
        web in cloud
          cloud: q-s0.web.cloud.shop.bosh
          0 in -, first
            cloud: ((web.0.id)).web.cloud.shop.bosh ((web.0.id)).web.cloud.shop.bosh
    "#]],
    );
}

#[test]
fn counts_are_numbers() {
    check(
        "name: web, instances: ((n)), networks: [{name: private}]",
        expect![[r#"
        web in private
          private: q-s0.web.private.shop.bosh
          0 in -, first
            private: ((web.0.private.ip)) ((web.0.id)).web.private.shop.bosh
        bosh: hint: the number of instances of `web` is filled in later
        strict: hint: the number of instances of `web` is filled in later
    "#]],
    );
    check(
        "name: web, instances: ((n)), networks: [{name: private, static_ips: [10.0.0.1 - 10.0.0.2]}]",
        expect![[r#"
            web in private
              private: q-s0.web.private.shop.bosh
              0 in -, first
                private: 10.0.0.1 ((web.0.id)).web.private.shop.bosh
              1 in -
                private: 10.0.0.2 ((web.1.id)).web.private.shop.bosh
            bosh: hint: the number of instances of `web` is filled in later
            strict: hint: the number of instances of `web` is filled in later
        "#]],
    );
    check(
        "name: web, instances: -1, networks: [{name: private}]",
        expect![[r#"
        web in private
          private: q-s0.web.private.shop.bosh
          0 in -, first
            private: ((web.0.private.ip)) ((web.0.id)).web.private.shop.bosh
        bosh: error: `instances` is a whole number from 0, not a negative one
        strict: error: `instances` is a whole number from 0, not a negative one
    "#]],
    );
    check(
        "name: web, instances: '2', networks: [{name: private}]",
        expect![[r#"
        web in private
          private: q-s0.web.private.shop.bosh
          0 in -, first
            private: ((web.0.private.ip)) ((web.0.id)).web.private.shop.bosh
        bosh: error: `instances` is a whole number from 0, not text
        strict: error: `instances` is a whole number from 0, not text
    "#]],
    );
    check(
        "name: web, networks: [{name: private}]",
        expect![[r#"
        web in private
          private: q-s0.web.private.shop.bosh
          0 in -, first
            private: ((web.0.private.ip)) ((web.0.id)).web.private.shop.bosh
        bosh: error: the instance group `web` has no `instances`
        strict: error: the instance group `web` has no `instances`
    "#]],
    );
}

#[test]
fn names_are_labels() {
    check(
        "name: My_Store.1, instances: 1, networks: [{name: private}]",
        expect![[r#"
        My_Store.1 in private
          private: q-s0.my-store1.private.shop.bosh
          0 in -, first
            private: ((My_Store.1.0.private.ip)) ((My_Store.1.0.id)).my-store1.private.shop.bosh
    "#]],
    );
    check(
        "name: _x, instances: 0, networks: [{name: private}]",
        expect![[r#"
        _x in private
          private: q-s0.-x.private.shop.bosh
        bosh: error: Invalid DNS canonical name '-x', cannot start with a hyphen
        strict: error: `_x` is `-x` in DNS, which cannot start with a hyphen
    "#]],
    );
    check(
        "instances: 0, networks: [{name: private}]",
        expect![[r#"
         in private
          private: q-s0..private.shop.bosh
        bosh: error: an instance group has no name
        strict: error: an instance group has no name
    "#]],
    );
}

#[test]
fn errands_are_known() {
    check(
        "name: web, lifecycle: errand, instances: 0, networks: [{name: private}]",
        expect![[r#"
        web in private, an errand
          private: q-s0.web.private.shop.bosh
    "#]],
    );
    check(
        "name: web, lifecycle: erand, instances: 0, networks: [{name: private}]",
        expect![[r#"
        web in private
          private: q-s0.web.private.shop.bosh
        bosh: error: Invalid lifecycle 'erand' for 'web', valid lifecycle profiles are: service, errand
        strict: error: unknown lifecycle `erand`
    "#]],
    );
}

#[test]
fn more_instances_than_anybody_means_are_not_listed() {
    let group = |name: &str| format!("{{name: {name}, instances: 999999999999, networks: [{{name: n}}]}}");
    let manifest = format!("name: shop\ninstance_groups: [{}, {}]\n", group("a"), group("b"));
    let read = Files::new([("d.yml", manifest.as_str())]).read(Profile::Strict);
    let groups = &read.site.deployments[0].groups;
    assert_eq!((groups[0].instances.len(), groups[1].instances.len()), (100_000, 0));
    assert_eq!(read.diagnostics.len(), 2, "{:?}", read.diagnostics);
}

#[test]
fn features_decide_about_names() {
    let dns = |features: &str| {
        let manifest = format!("name: shop\ninstance_groups: []\nfeatures: {{{features}}}\n");
        let read = Files::new([("d.yml", manifest.as_str())]).read(Profile::Bosh);
        let dns = &read.site.deployments[0].dns;
        let all = [dns.use_dns_addresses, dns.use_short_dns_addresses, dns.use_link_dns_names];
        (all, read.diagnostics.len())
    };
    assert_eq!(dns(""), ([false, false, false], 0));
    assert_eq!(dns("use_dns_addresses: true"), ([true, false, false], 0));
    assert_eq!(dns("use_link_dns_names: true"), ([true, true, true], 0));
    assert_eq!(dns("use_link_dns_names: true, use_dns_addresses: false"), ([false, true, true], 0));
    assert_eq!(dns("use_dns_addresses: 'yes', randomize_az_placement: 1"), ([false, false, false], 1));
}

#[test]
fn groups_and_deployments_have_names_of_their_own() {
    let group = "{name: g, instances: 0, networks: [{name: n}]}";
    let one = format!("name: d\ninstance_groups: [{group}, {group}]\n");
    let files = Files::new([("a.yml", one.as_str()), ("b.yml", "name: d\ninstance_groups: []\n")]);
    let read = files.read(Profile::Bosh);
    let reported: Vec<&str> = read.diagnostics.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(reported, ["Duplicate instance group name 'g'", "there are two deployments `d`"]);
    assert_eq!((read.site.deployments.len(), read.manifests.len()), (1, 1));
}
