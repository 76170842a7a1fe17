//! The consequences of actions on other resources, and the reasons that are given.
use expect_test::expect;

use super::notation::{Case, address, attributes, desired};
use super::world::World;
use crate::{KnockOn, Reason};

#[test]
fn an_update_spares_those_that_take_another_value() {
    let text = "
        services.db payload.image=1 labels.tier=1
        services.web init.0=${services.db.network_node.ip}
    ";
    let mut case = World::after(text).wants(&text.replace("tier=1", "tier=2"));
    // Nobody reported the address since; that the labels change is no reason to think that it does.
    case.recorded.resources.get_mut(&address("services.db")).expect("db").outputs = attributes("");
    case.check_changes(&expect![[r#"
        update services.db: changed
            /labels/tier: 1 → 2
    "#]]);
}

#[test]
fn references_to_a_map_follow_changes_inside() {
    let text = "
        services.db payload.image=1 labels.tier=1 labels.zone=a
        services.web labels=${services.db.labels}
    ";
    World::after(text).wants(&text.replace("tier=1", "tier=2")).check_changes(&expect![[r#"
        update services.db: changed
            /labels/tier: 1 → 2
        update services.web after services.db: knock_on of services.db via reference /labels
            /labels/tier: 1 → 2
    "#]]);
}

#[test]
fn without_recorded_text_only_a_reference_to_something_new_is_an_edit() {
    let text = "
        services.db payload.image=1
        services.web init.0=${services.db.network_node.ip}
    ";
    let mut case = World::after(text).wants(&text.replace("image=1", "image=2"));
    case.recorded.resources.get_mut(&address("services.web")).expect("web").template = None;
    case.check(&expect![[r#"
        rebuild services.db: changed
        rebuild services.web after services.db: knock_on of services.db via reference /init/0
    "#]]);
    case.desired = desired(&format!(
        "services.cache payload.image=1\n{}",
        text.replace("services.db.network_node", "services.cache.network_node")
    ));
    case.check(&expect![[r#"
        create services.cache: new
        rebuild services.web after services.cache: changed
    "#]]);
}

/// `services.db` is made again; `services.web` takes its `IP` in a field that is compared as a whole.
#[track_caller]
fn check_hidden(recorded: &str, wanted: &str, reason: &str) {
    let text = |image: u8, attributes: &str| {
        let attributes = attributes.replace("IP", "${services.db.network_node.ip}");
        format!("services.db payload.image={image}\nservices.web {attributes}")
    };
    let plan = World::after(&text(1, recorded)).wants(&text(2, wanted)).plan();
    let reasons = plan.actions.iter().map(|it| it.reason.as_ref().map(Reason::kind));
    assert_eq!(reasons.collect::<Vec<_>>(), [Some("changed"), Some(reason)], "{recorded} to {wanted}");
}

#[test]
fn changes_of_a_hidden_value_are_edits() {
    for text in ["secret.a=IP secret.b=1", "secret.0=IP secret.1=1", "secret.a.0.x=IP secret.a.1=1"] {
        check_hidden(text, text, "knock_on");
        check_hidden(text, &text.replace("=1", "=2"), "changed");
        check_hidden(text, &text.replace("=IP", "=to-IP"), "changed");
    }
    check_hidden("secret.a=IP secret.b=1", "secret.a=IP", "changed");
    check_hidden("secret.a=IP secret.b=1", "secret.a=IP secret.c=1", "changed");
    check_hidden("secret.a=IP", "secret.a=IP secret.b=1", "changed");
    check_hidden("secret.0=IP secret.1=1", "secret.0=IP", "changed");
    check_hidden("secret.0=IP", "secret.0=IP secret.1=1", "changed");
}

#[test]
fn by_the_letter_the_strongest_of_what_is_needed_counts() {
    let text = "
        services.a payload.image=1
        services.b labels.x=1
        services.c depends_on=b,a
        services.d depends_on=a,b
    ";
    let edited = text.replace("image=1", "image=2").replace("x=1", "x=2");
    let case = Case { knock_on: KnockOn::All, ..World::after(text).wants(&edited) };
    case.check(&expect![[r#"
        rebuild services.a: changed
        update services.b: changed
        rebuild services.c after services.a, services.b: knock_on of services.a via depends_on /depends_on
        rebuild services.d after services.a, services.b: knock_on of services.a via depends_on /depends_on
    "#]]);
}

#[test]
fn with_knock_on_all_an_own_change_is_the_first_reason() {
    let text = "
        services.a payload.image=1 labels.x=1
        services.b payload.image=1 labels.x=1 depends_on=a
    ";
    let by_the_letter = |edited: &str| Case { knock_on: KnockOn::All, ..World::after(text).wants(edited) };
    by_the_letter(&text.replace("x=1", "x=2")).check(&expect![[r#"
        update services.a: changed
        update services.b after services.a: changed
    "#]]);
    by_the_letter(&text.replace("image=1", "image=2")).check(&expect![[r#"
        rebuild services.a: changed
        rebuild services.b after services.a: changed
    "#]]);
    by_the_letter(
        &text.replace("a payload.image=1", "a payload.image=2").replace("x=1 depends", "x=2 depends"),
    )
    .check(&expect![[r#"
            rebuild services.a: changed
            rebuild services.b after services.a: knock_on of services.a via depends_on /depends_on
        "#]]);
}

#[test]
fn tainted_and_replaced_resources_are_rebuilt() {
    let text = "services.web payload.image=1 labels.x=1";
    let web = address("services.web");
    let mut case = World::after(text).wants(text);
    case.recorded.resources.get_mut(&web).expect("web").tainted = true;
    case.check(&expect![[r#"
        rebuild services.web: drifted
    "#]]);
    case.desired = desired(&text.replace("image=1", "image=2"));
    case.check(&expect![[r#"
        rebuild services.web: changed
    "#]]);
    case.recorded.resources.get_mut(&web).expect("web").replace = true;
    case.check(&expect![[r#"
        rebuild services.web: requested
    "#]]);
    case.recorded.resources.get_mut(&web).expect("web").tainted = false;
    case.desired = desired(text);
    case.check(&expect![[r#"
        rebuild services.web: requested
    "#]]);
}
