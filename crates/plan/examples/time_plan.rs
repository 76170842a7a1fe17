//! The times that plans take: `cargo run --release -p planloom-plan --example time_plan [SERVICES [WHAT]]`.
#![expect(clippy::print_stdout, reason = "its output is what it is for")]

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use diag::{FileId, Span};
use model::{
    Address, Data, Dependency, Desired, DesiredResource, EdgeKind, Expression, Observed, Origin, Part, Phase,
    Pointer, Recorded, RecordedResource, Reference, Step, Value,
};
use planloom_plan::{KnockOn, Mode, PlanInput, plan};
use types::Types;

fn main() {
    let count = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(10_000);
    let types = Types::builtin();
    let (empty, unseen) = (Recorded::default(), Observed::default());
    for (shape, needs) in
        [("random", needs_random as fn(usize) -> usize), ("one hub", |_| 0), ("one chain", |n| n - 1)]
    {
        let first = desired(count, "image-1", needs);
        let edited = desired(count, "image-2", needs);
        let recorded = recorded(&first);
        let input = PlanInput {
            desired: &first,
            recorded: &empty,
            observed: &unseen,
            types: &types,
            mode: Mode::Apply,
            knock_on: KnockOn::Values,
        };
        time(shape, "create", &input);
        time(shape, "no change", &PlanInput { recorded: &recorded, ..input });
        time(shape, "first one rebuilt", &PlanInput { recorded: &recorded, desired: &edited, ..input });
        time(shape, "destroy", &PlanInput { recorded: &recorded, mode: Mode::Destroy, ..input });
    }
}

fn time(shape: &str, what: &str, input: &PlanInput<'_>) {
    if std::env::args().nth(2).is_some_and(|it| it != what) {
        return;
    }
    let timed = || {
        let started = Instant::now();
        let actions = plan(input).actions.iter().filter(|action| action.action.acts()).count();
        (started.elapsed(), actions)
    };
    let (best, actions) = (1..10).fold(timed(), |best, _| best.min(timed()));
    let best = Duration::from_micros(best.as_micros() as u64);
    println!("{} services, {shape}, {what}: {actions} actions in {best:?}", input.desired.resources.len());
}

fn needs_random(n: usize) -> usize {
    n.wrapping_mul(0x9E37_79B9_7F4A_7C15) % n
}

fn address(n: usize) -> Address {
    Address::new("services", format!("service-{n}"))
}

/// Each service but the first takes the address of one before it.
fn desired(count: usize, first_image: &str, needs: fn(usize) -> usize) -> Desired {
    let resource = |n: usize| {
        let span = Span::at(FileId(0), n as u32);
        let image = if n == 0 { first_image } else { "image" };
        let mut args = vec![text("/bin/app"), text("--verbose"), text("--db")];
        let mut templates = BTreeMap::new();
        let mut dependencies = Vec::new();
        if n > 0 {
            let to = address(needs(n));
            let written = format!("{to}.network_node.ip");
            let path = Pointer::parse("/init/0/run/args/3");
            templates.insert(path.clone(), format!("${{{written}}}").into());
            let reference = Reference {
                to: to.clone(),
                path: vec![Step::Key("network_node".into()), Step::Key("ip".into())],
                text: written.into(),
                span,
                sensitive: false,
            };
            args.push(new(Data::Unknown(Expression { parts: vec![Part::Reference(reference)] })));
            let takes = Some(Pointer::parse("/network_node/ip"));
            dependencies.push(Dependency { to, kind: EdgeKind::Reference, path, takes, span });
        }
        let run = map([("run", map([("args", new(Data::List(args)))]))]);
        let params = map([("image_hash", text(image)), ("min_mem_gib", new(Data::Float(0.5)))]);
        let payload =
            map([("runtime", text("vm")), ("capabilities", list([text("vpn")])), ("params", params)]);
        let labels = map([("tier", text("1")), ("owner", text("me"))]);
        DesiredResource {
            address: address(n),
            kind: "service".into(),
            spec: map([("payload", payload), ("init", list([run])), ("labels", labels)]),
            templates,
            declared: span,
            dependencies,
            links: Vec::new(),
            packages: Vec::new(),
        }
    };
    Desired { resources: (0..count).map(resource).map(Into::into).collect(), ..Desired::default() }
}

/// All of it as it was applied, each service with the address that it was given.
fn recorded(desired: &Desired) -> Recorded {
    let ip = |address: &Address| text(&format!("ip-of-{address}"));
    let mut resources = BTreeMap::new();
    for resource in &desired.resources {
        let spec = evaluated(&resource.spec, &ip);
        resources.insert(
            resource.address.clone(),
            RecordedResource {
                kind: resource.kind.clone(),
                phase: Phase::Active,
                identity: Some(map([("id", text("1"))])),
                template: None,
                spec,
                outputs: map([("network_node", map([("ip", ip(&resource.address))]))]),
                depends_on: resource.dependencies.iter().map(|it| it.to.clone()).collect(),
                protected: false,
                tainted: false,
                replace: false,
                created_as: None,
                moved_from: None,
            },
        );
    }
    Recorded { resources, ..Recorded::default() }
}

fn evaluated(value: &Value, ip: &impl Fn(&Address) -> Value) -> Value {
    match &value.data {
        Data::Unknown(expression) => {
            expression.evaluate(value.origin, |reference| Some(ip(&reference.to))).expect("all is known")
        }
        Data::List(items) => new(Data::List(items.iter().map(|it| evaluated(it, ip)).collect())),
        Data::Map(map) => {
            new(Data::Map(map.iter().map(|(key, it)| (key.clone(), evaluated(it, ip))).collect()))
        }
        _ => value.clone(),
    }
}

fn new(data: Data) -> Value {
    Value::new(data, Origin::Recorded)
}

fn text(text: &str) -> Value {
    new(Data::String(text.into()))
}

fn list<const N: usize>(items: [Value; N]) -> Value {
    new(Data::List(items.into()))
}

fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    new(Data::Map(entries.into_iter().map(|(key, value)| (key.into(), value)).collect()))
}
