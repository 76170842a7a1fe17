//! Laws that hold for every plan, on random deployments and random edits of them.
use std::fmt::Write;

use expect_test::expect;
use model::{ObservedResource, Phase};
use proptest::collection::vec;
use proptest::prelude::*;
use view::Action;

use super::notation::{address, attributes, desired};
use super::world::World;
use crate::{KnockOn, Plan, Reason};

/// A service of a test. Numbers refer to services before it, or to networks, modulo how many there are.
#[derive(Clone, Debug)]
struct Service {
    name: u8,
    image: u8,
    label: u8,
    network: Option<u8>,
    needs: Vec<u8>,
    takes: Vec<(u8, Takes)>,
}

#[derive(Clone, Copy, Debug)]
enum Takes {
    Address,
    Label,
    Image,
}

fn service() -> impl Strategy<Value = Service> {
    let takes = prop_oneof![Just(Takes::Address), Just(Takes::Label), Just(Takes::Image)];
    let connections =
        (proptest::option::of(0..3_u8), vec(any::<u8>(), 0..3), vec((any::<u8>(), takes), 0..3));
    (0..12_u8, 0..3_u8, 0..3_u8, connections).prop_map(|(name, image, label, (network, needs, takes))| {
        Service { name, image, label, network, needs, takes }
    })
}

/// A deployment as text. Of services of one name only the first counts.
fn deployment() -> impl Strategy<Value = String> {
    (vec(0..3_u8, 3), vec(service(), 0..10)).prop_map(|(networks, services)| {
        let mut text = String::new();
        for (idx, range) in networks.iter().enumerate() {
            writeln!(text, "networks.n{idx} ip=10.{range}.0.0/24").expect("a string");
        }
        let mut names: Vec<u8> = Vec::new();
        for service in services {
            if !names.contains(&service.name) {
                write(&mut text, &service, &names);
                names.push(service.name);
            }
        }
        text
    })
}

fn write(text: &mut String, service: &Service, earlier: &[u8]) {
    let Service { name, image, label, .. } = service;
    write!(text, "services.s{name} payload.image={image} labels.l={label}").expect("a string");
    if let Some(network) = service.network {
        write!(text, " network=n{network}").expect("a string");
    }
    if !earlier.is_empty() {
        let pick = |number: &u8| earlier[*number as usize % earlier.len()];
        let needs: Vec<String> = service.needs.iter().map(|it| format!("s{}", pick(it))).collect();
        write!(text, " depends_on={}", needs.join(",")).expect("a string");
        for (idx, (number, takes)) in service.takes.iter().enumerate() {
            let value = match takes {
                Takes::Address => "network_node.ip",
                Takes::Label => "labels.l",
                Takes::Image => "payload.image",
            };
            write!(text, " init.{idx}=x-${{services.s{}.{value}}}", pick(number)).expect("a string");
        }
    }
    text.push('\n');
}

fn knock_on() -> impl Strategy<Value = KnockOn> {
    prop_oneof![Just(KnockOn::Values), Just(KnockOn::All)]
}

fn is_calm(plan: &Plan) -> bool {
    plan.actions.iter().all(|action| action.action == Action::NoOp && action.changes.is_empty())
}

/// `after` has no cycles, reasons are there, and every chain of knock-ons ends in a reason of its own.
fn check_shape(plan: &Plan) {
    for (idx, action) in plan.actions.iter().enumerate() {
        assert_eq!(action.id, format!("a{}", idx + 1));
        assert!(action.after.iter().all(|earlier| *earlier < idx && plan.actions[*earlier].action.acts()));
        assert!(action.after.is_sorted_by(|a, b| a < b));
        assert_eq!(action.reason.is_none(), action.action == Action::NoOp);
        let mut at = idx;
        while let Some(Reason::KnockOn { cause, .. }) = plan.actions[at].reason {
            assert!(cause < at && plan.actions[cause].action.acts(), "a cause acts, and acts before");
            assert!(plan.actions[at].after.contains(&cause), "what follows waits for its cause");
            at = cause;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_applied_plan_leaves_nothing_to_do(text in deployment(), knock_on in knock_on()) {
        let mut world = World::after(&text);
        let again = world.apply(&desired(&text), knock_on);
        prop_assert!(is_calm(&again), "{again:?}");
    }

    /// Executing checks that what each action needs exists, and that all values are known by then.
    #[test]
    fn one_apply_reaches_what_is_desired(old in deployment(), new in deployment(), knock_on in knock_on()) {
        let mut world = World::after(&old);
        let plan = world.apply(&desired(&new), knock_on);
        check_shape(&plan);
        let again = world.wants(&new).plan();
        prop_assert!(is_calm(&again), "{again:?}");
        prop_assert_eq!(world.recorded.resources.len(), desired(&new).resources.len());
    }

    #[test]
    fn actions_respect_the_graph(old in deployment(), new in deployment(), knock_on in knock_on()) {
        let world = World::after(&old);
        let case = super::notation::Case { knock_on, ..world.wants(&new) };
        let plan = case.plan();
        let place = |name: &model::Address| plan.actions.iter().position(|it| it.address == *name).expect("it is listed");
        for resource in &case.desired.resources {
            let dependent = &plan.actions[place(&resource.address)];
            for dependency in &resource.dependencies {
                let needed = place(&dependency.to);
                if dependent.action.acts() && plan.actions[needed].action.acts() {
                    prop_assert!(dependent.after.contains(&needed), "{} waits for {}", dependent.address, dependency.to);
                }
            }
        }
        for (name, recorded) in &case.recorded.resources {
            for to in &recorded.depends_on {
                let (dependent, needed) = (place(name), place(to));
                let acts = plan.actions[dependent].action.acts();
                if acts && plan.actions[needed].action == Action::Destroy {
                    prop_assert!(plan.actions[needed].after.contains(&dependent), "{to} goes after {name}");
                }
            }
        }
    }

    #[test]
    fn destroying_ends_with_nothing(text in deployment(), gone in vec(0..12_u8, 0..4)) {
        let mut world = World::after(&text);
        let mut case = world.ends();
        for number in gone {
            case.observed.resources.insert(address(&format!("services.s{number}")), None);
        }
        let plan = case.plan();
        check_shape(&plan);
        world.execute(&desired(""), &plan);
        prop_assert!(world.recorded.resources.is_empty());
    }

    #[test]
    fn drift_is_corrected(
        text in deployment(),
        gone in vec(0..12_u8, 0..3),
        drifted in vec(0..12_u8, 0..3),
        knock_on in knock_on(),
    ) {
        let mut world = World::after(&text);
        let mut case = super::notation::Case { knock_on, ..world.wants(&text) };
        for number in drifted {
            let seen = ObservedResource { phase: Phase::Active, spec: Some(attributes("labels.l=9")), outputs: None };
            case.observed.resources.insert(address(&format!("services.s{number}")), Some(seen));
        }
        for number in gone {
            case.observed.resources.insert(address(&format!("services.s{number}")), None);
        }
        let plan = case.plan();
        check_shape(&plan);
        for (name, seen) in &case.observed.resources {
            let acts = plan.actions.iter().find(|it| it.address == *name).is_none_or(|it| it.action.acts());
            prop_assert!(acts, "{name} is put right: {seen:?}");
        }
        world.execute(&case.desired, &plan);
        prop_assert!(is_calm(&world.wants(&text).plan()));
    }

    #[test]
    fn the_same_input_gives_the_same_plan(old in deployment(), new in deployment(), knock_on in knock_on()) {
        let case = super::notation::Case { knock_on, ..World::after(&old).wants(&new) };
        let (one, two) = (case.plan(), case.plan());
        prop_assert_eq!(one.actions, two.actions);
        prop_assert_eq!(one.refused, two.refused);
    }

    /// The literal rule of the Golem application model, [`KnockOn::All`], never does less than [`KnockOn::Values`].
    #[test]
    fn the_literal_rule_includes_the_other(old in deployment(), new in deployment()) {
        let case = World::after(&old).wants(&new);
        let all = super::notation::Case { knock_on: KnockOn::All, ..case.clone() }.plan();
        for action in case.plan().actions.iter().filter(|it| it.action.acts()) {
            let same = all.actions.iter().find(|it| it.address == action.address).expect("it is listed");
            prop_assert!(same.action == action.action || (same.action == Action::Rebuild && action.action == Action::Update));
        }
    }

    #[test]
    fn recorded_circles_do_not_hang(edges in vec((0..6_u8, 0..6_u8), 0..20), new in deployment()) {
        let all: String = (0..6).map(|it| format!("services.s{it} payload.image=1\n")).collect();
        let mut world = World::after(&all);
        for (from, to) in edges {
            let from = world.recorded.resources.get_mut(&address(&format!("services.s{from}"))).expect("it is there");
            from.depends_on.push(address(&format!("services.s{to}")));
        }
        check_shape(&world.ends().plan());
        check_shape(&world.wants(&new).plan());
    }
}

/// The deployments above are not all empty or alike.
#[test]
fn the_notation_of_random_deployments_reads() {
    let mut text = String::new();
    let takes = vec![(0, Takes::Address), (1, Takes::Image), (2, Takes::Label)];
    write(
        &mut text,
        &Service { name: 3, image: 1, label: 2, network: Some(0), needs: vec![4], takes },
        &[0, 1, 2],
    );
    expect![[r#"
        services.s3 payload.image=1 labels.l=2 network=n0 depends_on=s1 init.0=x-${services.s0.network_node.ip} init.1=x-${services.s1.payload.image} init.2=x-${services.s2.labels.l}
    "#]].assert_eq(&text);
    assert_eq!(desired(&text).resources[0].dependencies.len(), 5);
}
