//! The values that must never be shown, and how they are recognized.

use expect_test::expect;
use model::{Address, Data, ObservedResource, Origin, Phase, Pointer, RecordedResource, Value};

use super::notation::{address, attributes, types};
use super::world::World;
use crate::secret::Secrets;

fn value(data: Data) -> Value {
    Value::new(data, Origin::Recorded)
}

/// A recorded template with one text in it: `init.0.run` is the place of an item's field.
fn template(path: &str, text: &str) -> Value {
    path.rsplit('.').fold(value(Data::String(text.into())), |inside, segment| {
        value(match segment.parse::<usize>() {
            Ok(_) => Data::List(vec![inside]),
            Err(_) => Data::Map(model::map_of([(segment.into(), inside)])),
        })
    })
}

#[test]
fn text_takes_a_secret_from_where_it_is_and_from_what_took_it() {
    let mut recorded = World::after("services.any payload.image=1").recorded;
    let any = recorded.resources.remove(&address("services.any")).expect("any");
    let web = |instance| Address { instance: Some(instance), ..Address::new("services", "web") };
    for (address, path, text) in [
        (web(0), "labels.x", "plain"),
        (web(1), "labels.x", "${services.db.secret}"),
        (Address::new("services", "a.b[1]"), "labels.x", "${services.db.secret}"),
        (Address::new("services", "q\"}"), "labels.x", "${services.db.secret}"),
        (Address::new("services", "b\\c"), "labels.x", "${services.db.secret}"),
        (Address::new("safe", "safe"), "labels.x", "${services.db.secret}"),
        (Address::new("services", "list"), "init.0.run", "${services.db.secret}"),
        (Address::new("services", "webby"), "labels.y", "${services.db.secret}"),
        (Address::new("services", "whole"), "labels", "${services.web.labels}"),
    ] {
        let resource = RecordedResource { template: Some(template(path, text)), ..any.clone() };
        recorded.resources.insert(address, resource);
    }
    let mut types = types();
    let mut safe = types.kinds[2].clone();
    (safe.kind, safe.collection, safe.singleton) = ("safe".into(), "safe".into(), true);
    types.kinds.push(safe);
    let secrets = Secrets { types: &types, recorded: &recorded };
    for (text, refers) in [
        ("plain", false),
        ("services.db.secret", false),
        ("${services.db.secret}", true),
        ("k-${services.db.labels.x}-${services.db.secret}", true),
        ("${ services.db.secret }", true),
        ("${services.db.labels} services.db.secret", false),
        ("${services.db[2].secret}", true),
        ("${services.\"a.b\".secret}", true),
        ("${services.db.labels.x}", false),
        ("${others.db.secret}", false),
        ("${services.web.labels.x}", true),
        ("${services.web[1].labels.x}", true),
        ("${services.web.labels}", true),
        ("${services.web.labels.y}", false),
        ("${services.webby.labels.y}", true),
        ("${services.webby.labels.x}", false),
        ("${services.\"a.b[1]\".labels.x}", true),
        ("${services.\"a.b[1]\".labels.y}", false),
        ("${services.\"q\\\"}\".labels.x}", true),
        ("${services.\"q\\\"}\".labels.y}", false),
        ("${services.b\\c.labels.x}", true),
        ("${safe.secret}", true),
        ("${safe.labels.x}", true),
        ("${safe.labels.y}", false),
        ("${services}", false),
        ("${services.list.init[0].run}", true),
        ("${services.list.init[0].other}", false),
        ("${services.list.init}", true),
        ("${services.whole.labels.x}", true),
    ] {
        assert_eq!(secrets.refers(&template("labels.x", text)), refers, "{text}");
        assert_eq!(secrets.refers(&template("init.0.run", text)), refers, "{text} in a list");
    }
}

const DB: &str = "services.db secret=x\n";

#[test]
fn a_list_or_map_with_a_secret_in_it_is_hidden_as_a_whole() {
    let taking = "init.0=${services.db.secret} payload.params.a.k=${services.db.secret}";
    let not = "init.0=a init.1=b payload.params.a=1";
    World::after(&format!("{DB}services.web {not}"))
        .wants(&format!("{DB}services.web {taking}"))
        .check_changes(&expect![[r#"
            rebuild services.web: changed
                /init: [a, b] → [x] sensitive forces rebuild
                /payload/params/a: 1 → {k: x} sensitive forces rebuild
        "#]]);
    World::after(&format!("{DB}services.web {taking}"))
        .wants(&format!("{DB}services.web {not}"))
        .check_changes(&expect![[r#"
            rebuild services.web: changed
                /init: [x] → [a, b] sensitive forces rebuild
                /payload/params/a: {k: x} → 1 sensitive forces rebuild
        "#]]);
}

#[test]
fn a_secret_no_longer_reported_stays_secret() {
    let text = "
        services.secrets payload.image=1
        services.web init.0=${services.secrets.token}
    ";
    let mut case = World::after(text).wants(text);
    case.recorded.resources.get_mut(&address("services.secrets")).expect("secrets").outputs = attributes("");
    let seen = ObservedResource { phase: Phase::Active, spec: Some(attributes("init.0=b")), outputs: None };
    case.observed.resources.insert(address("services.web"), Some(seen));
    case.check_changes(&expect![[r#"
        rebuild services.web: drifted
            /init/0: secret1 → secret1 (really b) sensitive forces rebuild
    "#]]);
}

#[test]
fn a_secret_stays_one_where_it_is_taken_from_what_does_not_change() {
    let text = format!("{DB}services.web labels.a=${{services.db.secret}}\n");
    let taking = format!("{text}services.app labels.b=${{services.web.labels.a}}");
    World::after(&text).wants(&taking).check_changes(&expect![[r#"
        create services.app: new
            /labels/b: – → x sensitive
    "#]]);
    // The same for one that is written where nothing but its own mark says so.
    let text = "services.web payload.params.a=x payload.params.l.0=y\n";
    let mut case = World::after(text)
        .wants(&format!("{text}services.app payload.params.b=${{services.web.payload.params}}"));
    mark(&mut case.desired_at(0).spec, &["payload", "params", "a"]);
    mark(&mut case.desired_at(0).spec, &["payload", "params", "l", "0"]);
    case.check_changes(&expect![[r#"
        create services.app: new
            /payload/params/b/a: – → x sensitive
            /payload/params/b/l/0: – → y sensitive
    "#]]);
}

/// Marks the value at a path as one that must never be shown.
fn mark(value: &mut Value, path: &[&str]) {
    match (&mut value.data, path) {
        (_, []) => value.sensitive = true,
        (Data::Map(map), [key, rest @ ..]) => mark(map.get_mut(*key).expect("it is there"), rest),
        (Data::List(items), [index, rest @ ..]) => {
            mark(&mut items[index.parse::<usize>().expect("an index")], rest);
        }
        _ => panic!("{path:?} is no place"),
    }
}

#[test]
fn the_name_of_a_place_that_was_lost_may_be_a_secret() {
    let text = "networks.lan ip=10.0.0.0/24\nservices.web network=lan";
    let edited = text.replace("10.0.0.0", "10.0.9.0");
    let world = World::after(text);
    world.wants(&edited).check_changes(&expect![[r#"
        rebuild networks.lan: changed
            /ip: 10.0.0.0/24 → 10.0.9.0/24 forces rebuild
        rebuild services.web after networks.lan: knock_on of networks.lan via attachment /network
            /network: lan → lan unknown forces rebuild
    "#]]);
    let mut case = world.wants(&edited);
    mark(&mut case.desired_at(1).spec, &["network"]);
    case.check_changes(&expect![[r#"
        rebuild networks.lan: changed
            /ip: 10.0.0.0/24 → 10.0.9.0/24 forces rebuild
        rebuild services.web after networks.lan: knock_on of networks.lan via attachment /network
            /network: lan → lan unknown sensitive forces rebuild
    "#]]);
    // Its text takes it from one.
    let mut case = world.wants(&edited);
    let taken = "${services.db.secret}";
    case.desired_at(1).templates.insert(Pointer::parse("/network"), taken.into());
    let web = case.recorded.resources.get_mut(&address("services.web")).expect("web");
    web.template = Some(template("network", taken));
    case.check_changes(&expect![[r#"
        rebuild networks.lan: changed
            /ip: 10.0.0.0/24 → 10.0.9.0/24 forces rebuild
        rebuild services.web after networks.lan: knock_on of networks.lan via attachment /network
            /network: lan → lan unknown sensitive forces rebuild
    "#]]);
}
