//! The actions on resources, their order and their reasons.
use expect_test::expect;
use model::{Data, EdgeKind, ObservedResource, Phase};
use view::Action;

use super::notation::{Case, address, attributes};
use super::world::World;
use crate::{KnockOn, Reason};

const S0: &str = "
    networks.lan ip=10.0.0.0/24
    services.db payload.image=p network=lan
    services.web payload.image=q network=lan depends_on=db init.0=${services.db.network_node.ip}
";

/// `S0` with one text replaced.
fn s0(from: &str, to: &str) -> String {
    assert!(S0.contains(from), "{from}");
    S0.replace(from, to)
}

fn terminated(case: &mut Case, name: &str) {
    let seen = ObservedResource { phase: Phase::Terminated, spec: None, outputs: None };
    case.observed.resources.insert(address(name), Some(seen));
}

fn seen(case: &mut Case, name: &str, spec: &str) {
    let seen = ObservedResource { phase: Phase::Active, spec: Some(attributes(spec)), outputs: None };
    case.observed.resources.insert(address(name), Some(seen));
}

#[test]
fn p1_everything_is_created_when_nothing_is_recorded() {
    World::default().wants(S0).check(&expect![[r#"
        create networks.lan: new
        create services.db after networks.lan: new
        create services.web after networks.lan, services.db: new
    "#]]);
}

#[test]
fn p2_nothing_happens_when_everything_is_as_desired() {
    let world = World::after(S0);
    let mut case = world.wants(S0);
    case.check(&expect![[""]]);
    seen(&mut case, "networks.lan", "ip=10.0.0.0/24 mask=24");
    seen(&mut case, "services.db", "payload.image=p network=lan");
    case.check(&expect![[""]]);
    assert_eq!(case.plan().actions.len(), 3, "all are listed as they are");
}

#[test]
fn p3_what_is_gone_is_created_again() {
    let mut case = World::after(S0).wants(S0);
    terminated(&mut case, "services.web");
    case.check(&expect![[r#"
        create services.web: gone
    "#]]);
    case.observed.resources.insert(address("services.web"), None);
    case.check(&expect![[r#"
        create services.web: gone
    "#]]);
}

#[test]
fn p3_a_record_without_identity_is_gone() {
    let mut case = World::after(S0).wants(S0);
    let web = address("services.web");
    for identity in [None, Some(attributes("")), Some(attributes("x=null").get("x").expect("x").clone())] {
        case.recorded.resources.get_mut(&web).expect("web").identity = identity;
        let plan = case.plan();
        assert_eq!(
            (plan.actions[0].action, plan.actions[0].reason.clone()),
            (Action::Create, Some(Reason::Gone))
        );
        assert!(plan.actions[1..].iter().all(|it| it.action == Action::NoOp));
    }
}

#[test]
fn p4_what_takes_a_value_of_what_is_gone_is_rebuilt() {
    let mut case = World::after(S0).wants(S0);
    terminated(&mut case, "services.db");
    case.check_changes(&expect![[r#"
        create services.db: gone
            /network: – → lan
            /payload/image: – → p
        rebuild services.web after services.db: knock_on of services.db via reference /init/0
            /init/0: 10.0.0.2 → ${services.db.network_node.ip} unknown forces rebuild
    "#]]);
}

#[test]
fn p5_an_updatable_attribute_is_updated() {
    let world = World::after(S0);
    world.wants(&s0("depends_on=db", "depends_on=db labels.tier=1")).check_changes(&expect![[r#"
        update services.web: changed
            /labels/tier: – → 1
    "#]]);
}

#[test]
fn p6_an_image_forces_a_rebuild() {
    let world = World::after(S0);
    world.wants(&s0("image=q", "image=q2")).check_changes(&expect![[r#"
        rebuild services.web: changed
            /payload/image: q → q2 forces rebuild
    "#]]);
    world.wants(&S0.replace("image=p", "image=r").replace("image=q", "image=r")).check(&expect![[r#"
        rebuild services.db: changed
        rebuild services.web after services.db: changed
    "#]]);
}

#[test]
fn p6_an_embedded_attribute_is_judged_by_its_own_definition() {
    let world = World::after(S0);
    world.wants(&s0("image=q", "image=q payload.scale=2")).check_changes(&expect![[r#"
        update services.web: changed
            /payload/scale: – → 2
    "#]]);
}

#[test]
fn p7_what_takes_a_value_of_what_is_rebuilt_is_rebuilt() {
    let world = World::after(S0);
    world.wants(&s0("image=p", "image=p2")).check_changes(&expect![[r#"
        rebuild services.db: changed
            /payload/image: p → p2 forces rebuild
        rebuild services.web after services.db: knock_on of services.db via reference /init/0
            /init/0: 10.0.0.2 → ${services.db.network_node.ip} unknown forces rebuild
    "#]]);
}

#[test]
fn p8_knock_on_is_transitive_and_spares_strangers() {
    let chain = "
        services.c init.0=${services.b.network_node.ip}
        services.b init.0=${services.a.network_node.ip}
        services.a payload.image=1
        services.d payload.image=1
    ";
    let world = World::after(chain);
    let edited = chain.replace("a payload.image=1", "a payload.image=2");
    world.wants(&edited).check(&expect![[r#"
        rebuild services.a: changed
        rebuild services.b after services.a: knock_on of services.a via reference /init/0
        rebuild services.c after services.b: knock_on of services.b via reference /init/0
    "#]]);
}

#[test]
fn p9_an_update_only_matters_to_those_that_take_the_value() {
    let world = World::after(S0);
    let mut case = world.wants(&s0("image=p network=lan", "image=p network=lan labels.tier=1"));
    case.check(&expect![[r#"
        update services.db: changed
    "#]]);
    case.knock_on = KnockOn::All;
    case.check(&expect![[r#"
        update services.db: changed
        update services.web after services.db: knock_on of services.db via depends_on /depends_on
    "#]]);

    let labelled = "
        services.db payload.image=p labels.tier=1
        services.web labels.of=${services.db.labels.tier}
        services.app init.0=tier-${services.db.labels.tier}
    ";
    World::after(labelled).wants(&labelled.replace("tier=1", "tier=2")).check_changes(&expect![[r#"
        update services.db: changed
            /labels/tier: 1 → 2
        update services.web after services.db: knock_on of services.db via reference /labels/of
            /labels/of: 1 → 2
        rebuild services.app after services.db: knock_on of services.db via reference /init/0
            /init/0: tier-1 → tier-2 forces rebuild
    "#]]);
}

#[test]
fn p10_what_is_not_desired_any_more_is_destroyed() {
    let world = World::after(S0);
    let without_web: String =
        S0.lines().filter(|line| !line.contains("services.web")).map(|it| format!("{it}\n")).collect();
    world.wants(&without_web).check(&expect![[r#"
        destroy services.web: removed
    "#]]);
    world.wants("").check(&expect![[r#"
        destroy services.web: removed
        destroy services.db after services.web: removed
        destroy networks.lan after services.web, services.db: removed
    "#]]);
}

#[test]
fn p11_destroy_goes_by_recorded_edges() {
    let world = World::after(S0);
    let mut case = world.ends();
    case.check(&expect![[r#"
        destroy services.web: destroy_mode
        destroy services.db after services.web: destroy_mode
        destroy networks.lan after services.web, services.db: destroy_mode
    "#]]);
    terminated(&mut case, "services.web");
    case.check(&expect![[r#"
        destroy services.db: destroy_mode
        destroy networks.lan after services.db: destroy_mode
        forget services.web: gone
    "#]]);
    World::default().ends().check(&expect![[""]]);
}

#[test]
fn p12_a_swap_destroys_the_old_one_last() {
    let world = World::after(S0);
    let swapped = S0.replace("services.db", "services.cache").replace("depends_on=db", "depends_on=cache");
    world.wants(&swapped).check(&expect![[r#"
        create services.cache: new
        rebuild services.web after services.cache: changed
        destroy services.db after services.web: removed
    "#]]);
}

#[test]
fn p13_drift_is_undone() {
    let labelled = s0("depends_on=db", "depends_on=db labels.tier=1");
    let mut case = World::after(&labelled).wants(&labelled);
    seen(&mut case, "services.web", "labels={}");
    case.check_changes(&expect![[r#"
        update services.web: drifted
            /labels/tier: 1 → 1
    "#]]);
}

#[test]
fn p13_what_already_is_as_desired_needs_nothing() {
    let world = World::after(S0);
    let mut case = world.wants(&s0("depends_on=db", "depends_on=db labels.tier=1"));
    seen(&mut case, "services.web", "labels.tier=1 labels.other=x");
    case.check(&expect![[""]]);
}

#[test]
fn p14_mere_order_is_no_change() {
    let world = World::after(S0);
    world.wants(&s0(" depends_on=db", "")).check(&expect![[""]]);
}

#[test]
fn p15_what_is_gone_and_not_desired_is_forgotten() {
    let world = World::after(S0);
    let mut case = world.wants("networks.lan ip=10.0.0.0/24");
    terminated(&mut case, "services.web");
    terminated(&mut case, "services.db");
    case.check(&expect![[r#"
        forget services.web: gone
        forget services.db: gone
    "#]]);
}

#[test]
fn r3_what_is_written_is_known_at_once() {
    let text = "
        networks.lan ip=10.0.0.0/24
        services.web init.0=${networks.lan.ip} init.1=via-${services.web2.payload.image}
        services.web2 payload.image=7 network=lan
    ";
    World::default().wants(text).check_changes(&expect![[r#"
        create networks.lan: new
            /ip: – → 10.0.0.0/24
        create services.web2 after networks.lan: new
            /network: – → lan
            /payload/image: – → 7
        create services.web after networks.lan, services.web2: new
            /init: – → [10.0.0.0/24, via-7]
    "#]]);
}

#[test]
fn r11_the_template_is_evaluated_again() {
    let world = World::after(S0);
    let mut case = world.wants(S0);
    // The last run made db again and broke off before web's turn.
    let db = case.recorded.resources.get_mut(&address("services.db")).expect("db");
    db.outputs = attributes("network_node.ip=10.0.0.99");
    case.check_changes(&expect![[r#"
        rebuild services.web: changed
            /init/0: 10.0.0.2 → 10.0.0.99 forces rebuild
    "#]]);
    // What an adapter sees counts more than what was recorded.
    let seen = ObservedResource {
        phase: Phase::Active,
        spec: None,
        outputs: Some(attributes("network_node.ip=10.0.0.2")),
    };
    case.observed.resources.insert(address("services.db"), Some(seen));
    case.check(&expect![[""]]);
}

#[test]
fn an_output_that_was_never_reported_is_no_reason_to_act() {
    let mut case = World::after(S0).wants(S0);
    case.recorded.resources.get_mut(&address("services.db")).expect("db").outputs = attributes("");
    case.check(&expect![[""]]);
    // With another text, nobody can tell.
    case.desired = super::notation::desired(&s0("init.0=$", "init.0=to-$"));
    case.check_changes(&expect![[r#"
        rebuild services.web: changed
            /init/0: 10.0.0.2 → to-${services.db.network_node.ip} unknown forces rebuild
    "#]]);
}

#[test]
fn a_new_network_rebuilds_what_lived_in_the_old_one() {
    let world = World::after(S0);
    world.wants(&s0("ip=10.0.0.0/24", "ip=10.0.9.0/24")).check_changes(&expect![[r#"
        rebuild networks.lan: changed
            /ip: 10.0.0.0/24 → 10.0.9.0/24 forces rebuild
        rebuild services.db after networks.lan: knock_on of networks.lan via attachment /network
            /network: lan → lan unknown forces rebuild
        rebuild services.web after networks.lan, services.db: knock_on of services.db via reference /init/0
            /init/0: 10.0.0.2 → ${services.db.network_node.ip} unknown forces rebuild
            /network: lan → lan unknown forces rebuild
    "#]]);
    let mut case = world.wants(S0);
    terminated(&mut case, "networks.lan");
    case.check(&expect![[r#"
        create networks.lan: gone
        rebuild services.db after networks.lan: knock_on of networks.lan via attachment /network
        rebuild services.web after networks.lan, services.db: knock_on of services.db via reference /init/0
    "#]]);
    world.wants(&s0("ip=10.0.0.0/24", "ip=10.0.0.0/24 note=x")).check(&expect![[r#"
        update networks.lan: changed
    "#]]);
}

#[test]
fn a_new_reference_updates_the_dependent() {
    let world = World::after(S0);
    let moved = s0(
        "services.db payload.image=p network=lan",
        "networks.wan ip=10.1.0.0/16\nservices.db payload.image=p network=wan",
    );
    world.wants(&moved).check_changes(&expect![[r#"
        create networks.wan: new
            /ip: – → 10.1.0.0/16
        rebuild services.db after networks.wan: changed
            /network: lan → wan forces rebuild
        rebuild services.web after services.db: knock_on of services.db via reference /init/0
            /init/0: 10.0.0.2 → ${services.db.network_node.ip} unknown forces rebuild
    "#]]);
}

#[test]
fn a_lost_record_of_what_is_needed_is_no_edit_of_the_dependent() {
    let mut case = World::after(S0).wants(S0);
    case.recorded.resources.remove(&address("services.db"));
    case.check(&expect![[r#"
        create services.db: new
        rebuild services.web after services.db: knock_on of services.db via reference /init/0
    "#]]);
}

#[test]
fn the_literal_rule_follows_every_edge() {
    let text = "
        services.a payload.image=1
        services.b depends_on=a
        services.c depends_on=b labels.x=1
        services.d payload.image=1
    ";
    let world = World::after(text);
    let mut case = world.wants(&text.replace("a payload.image=1", "a payload.image=2"));
    case.check(&expect![[r#"
        rebuild services.a: changed
    "#]]);
    case.knock_on = KnockOn::All;
    case.check(&expect![[r#"
        rebuild services.a: changed
        rebuild services.b after services.a: knock_on of services.a via depends_on /depends_on
        rebuild services.c after services.b: knock_on of services.b via depends_on /depends_on
    "#]]);
    // An own update becomes a rebuild; the reason is what makes it one.
    case.desired = super::notation::desired(
        &text.replace("a payload.image=1", "a payload.image=2").replace("x=1", "x=2"),
    );
    case.check(&expect![[r#"
        rebuild services.a: changed
        rebuild services.b after services.a: knock_on of services.a via depends_on /depends_on
        rebuild services.c after services.b: knock_on of services.b via depends_on /depends_on
    "#]]);
    case.desired = super::notation::desired(text);
    terminated(&mut case, "services.a");
    case.check(&expect![[r#"
        create services.a: gone
        rebuild services.b after services.a: knock_on of services.a via depends_on /depends_on
        rebuild services.c after services.b: knock_on of services.b via depends_on /depends_on
    "#]]);
}

#[test]
fn an_own_reason_goes_before_a_knock_on() {
    let world = World::after(S0);
    world.wants(&S0.replace("image=p", "image=p2").replace("image=q", "image=q2")).check(&expect![[r#"
        rebuild services.db: changed
        rebuild services.web after services.db: changed
    "#]]);
    // The edit only asks for an update: what makes it a rebuild is the reason.
    let both = s0("image=p", "image=p2").replace("depends_on=db", "depends_on=db labels.tier=1");
    world.wants(&both).check_changes(&expect![[r#"
        rebuild services.db: changed
            /payload/image: p → p2 forces rebuild
        rebuild services.web after services.db: knock_on of services.db via reference /init/0
            /init/0: 10.0.0.2 → ${services.db.network_node.ip} unknown forces rebuild
            /labels/tier: – → 1
    "#]]);
}

#[test]
fn the_old_dependents_go_before_what_they_need_is_rebuilt() {
    let world = World::after(S0);
    world.wants("networks.lan ip=10.0.0.0/24\nservices.db payload.image=p2 network=lan").check(&expect![[
        r#"
            destroy services.web: removed
            rebuild services.db after services.web: changed
        "#
    ]]);
    // Here that would be a circle: web now needs db itself, and the proxy that it needed before goes last.
    let through = "
        services.db payload.image=1
        services.proxy depends_on=db
        services.web depends_on=proxy payload.image=1
    ";
    let direct = "
        services.db payload.image=2
        services.web depends_on=db payload.image=2
    ";
    World::after(through).wants(direct).check(&expect![[r#"
        rebuild services.db: changed
        rebuild services.web after services.db: changed
        destroy services.proxy after services.web: removed
    "#]]);
}

#[test]
fn an_inversion_goes_by_what_is_desired() {
    let world = World::after("services.a payload.image=1\nservices.b depends_on=a payload.image=1");
    world.wants("services.a depends_on=b payload.image=2\nservices.b payload.image=2").check(&expect![[r#"
            rebuild services.b: changed
            rebuild services.a after services.b: changed
        "#]]);
}

#[test]
fn circles_end() {
    let mut world = World::after("services.a payload.image=1\nservices.b depends_on=a");
    world.recorded.resources.get_mut(&address("services.a")).expect("a").depends_on =
        vec![address("services.b")];
    world.ends().check(&expect![[r#"
        destroy services.a: destroy_mode
        destroy services.b after services.a: destroy_mode
    "#]]);
    world.wants("").check(&expect![[r#"
        destroy services.a: removed
        destroy services.b after services.a: removed
    "#]]);
    let circle = "services.a init.0=${services.b.x}\nservices.b init.0=${services.a.x}\nservices.c init.0=${services.c.x}";
    World::default().wants(circle).check(&expect![[r#"
        create services.b: new
        create services.a after services.b: new
        create services.c: new
    "#]]);
}

#[test]
fn protected_resources_are_refused() {
    let mut world = World::after(S0);
    world.recorded.resources.get_mut(&address("services.db")).expect("db").protected = true;
    world.wants(&s0("image=p", "image=p2")).check(&expect![[r#"
        rebuild services.db: changed REFUSED
        rebuild services.web after services.db: knock_on of services.db via reference /init/0
    "#]]);
    world.wants("networks.lan ip=10.0.0.0/24").check(&expect![[r#"
        destroy services.web: removed
        destroy services.db after services.web: removed REFUSED
    "#]]);
    world.ends().check(&expect![[r#"
        destroy services.web: destroy_mode
        destroy services.db after services.web: destroy_mode REFUSED
        destroy networks.lan after services.web, services.db: destroy_mode
    "#]]);
    let mut case = world.wants(&s0("image=p", "image=p labels.x=1"));
    case.check(&expect![[r#"
        update services.db: changed
    "#]]);
    terminated(&mut case, "services.db");
    case.check(&expect![[r#"
        create services.db: gone
        rebuild services.web after services.db: knock_on of services.db via reference /init/0
    "#]]);
}

#[test]
fn pending_resources_exist_unless_reported_gone() {
    let mut case = World::after(S0).wants(S0);
    case.recorded.resources.get_mut(&address("services.web")).expect("web").phase = Phase::Pending;
    case.check(&expect![[r#"
        update services.web: not_ready
    "#]]);
    case.recorded.resources.get_mut(&address("services.web")).expect("web").phase = Phase::Terminated;
    case.check(&expect![[r#"
        create services.web: gone
    "#]]);
    seen(&mut case, "services.web", "network=lan");
    case.check(&expect![[""]]);
}

#[test]
fn another_kind_with_the_same_name_is_another_resource() {
    let mut case = World::after(S0).wants(S0);
    case.desired_at(2).kind = "network".into();
    case.check(&expect![[r#"
        rebuild services.web: changed
    "#]]);
}

#[test]
fn instances_are_resources_of_their_own() {
    let world = World::after("services.web[0] payload.image=1\nservices.web[1] payload.image=1");
    world.wants("services.web[0] payload.image=1\nservices.web[1] payload.image=1\nservices.web[2] payload.image=1").check(&expect![[r#"
        create services.web[2]: new
    "#]]);
    world.wants("services.web payload.image=1").check(&expect![[r#"
        create services.web: new
        destroy services.web[1]: removed
        destroy services.web[0]: removed
    "#]]);
}

#[test]
fn ids_count_what_acts_first() {
    let world = World::after(S0);
    let mut case = world.wants(&s0("image=q", "image=q2"));
    case.recorded
        .resources
        .insert(address("services.old"), case.recorded.resources[&address("services.db")].clone());
    terminated(&mut case, "services.old");
    let plan = case.plan();
    let listed: Vec<_> =
        plan.actions.iter().map(|it| format!("{} {} {}", it.id, it.action.as_str(), it.address)).collect();
    assert_eq!(
        listed,
        [
            "a1 rebuild services.web",
            "a2 forget services.old",
            "a3 no_op networks.lan",
            "a4 no_op services.db"
        ]
    );
}

#[test]
fn a_changed_name_of_a_place_is_not_said_twice() {
    let text = "networks.a ip=10.0.0.0/24\nnetworks.b ip=10.1.0.0/24\nservices.web network=a";
    let world = World::after(text);
    let case =
        world.wants(&text.replace("ip=10.1.0.0/24", "ip=10.2.0.0/24").replace("network=a", "network=b"));
    let plan = case.plan();
    let web = plan.actions.iter().find(|it| it.address == address("services.web")).expect("web");
    assert_eq!(web.changes.len(), 1);
    assert!(
        matches!(web.changes[0].desired.as_ref().map(|it| &it.data), Some(Data::String(name)) if &**name == "b")
    );
    assert!(case.desired.resources[2].dependencies.iter().all(|it| it.kind == EdgeKind::Attachment));
    case.check(&expect![[r#"
        rebuild networks.b: changed
        rebuild services.web after networks.b: changed
    "#]]);
}
