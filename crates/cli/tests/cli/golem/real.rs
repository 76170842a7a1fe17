//! Descriptors that others wrote: the examples of GAP-16, and applications of the portal.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    time::Duration,
};

use golem_network::{Behavior, Delays};
use serde_json::Value as Json;

use super::bench::{APP, Bench, descriptors, run};

#[test]
fn published_descriptors_are_rented_used_healed_and_given_back() {
    let descriptors = descriptors();
    if descriptors.is_empty() {
        return eprintln!("skipped: there are no published descriptors here");
    }
    // Each on a network of its own, several at a time.
    std::thread::scope(|scope| {
        for (number, path) in descriptors.iter().enumerate() {
            scope.spawn(move || run(&format!("real-{number}"), |bench| check(bench, path)));
        }
    });
}

/// Those of dapp-runner, in its order.
#[test]
fn the_states_of_a_service_are_reported() {
    run("states", |bench| {
        fs::write(bench.path("app.yaml"), APP).unwrap();
        let states = |verb: &str| {
            let mut words = bench.work(verb, "app.yaml");
            words.extend(["--format", "json"]);
            let out = String::from_utf8(bench.planloom(&words).stdout).unwrap();
            let events = out.lines().map(|it| serde_json::from_str::<Json>(it).unwrap());
            let web = events.filter(|it| it["type"] == "step" && it["address"] == "services.web");
            let mut states: Vec<String> = web.filter_map(|it| state(&it)).collect();
            states.dedup();
            states
        };
        // A state is reported if it is still there when the program asks for it, which it does several times a second. Results have
        // to come before the program stops to wait for them, after two seconds.
        let (seconds, results) = (Duration::from_secs(3), Duration::from_millis(1500));
        slow_down(bench, Delays { agreement: seconds, results, ..Delays::default() });
        assert_eq!(states("apply"), ["pending", "starting", "done"]);
        assert_eq!(bench.recorded()["services.web"]["outputs"]["state"], "running");
        // A busy machine may need as long to start the program and to ask for the first time.
        slow_down(bench, Delays { destruction: seconds * 4, ..Delays::default() });
        assert_eq!(states("destroy"), ["stopping", "done"]);
        bench.set_all(&Behavior::default());
        bench.nothing_is_open("states");
        bench.forget();
    });
}

fn slow_down(bench: &Bench<'_>, delays: Delays) {
    bench.set_all(&Behavior { delays, ..Behavior::default() });
}

/// The state that an event names.
fn state(event: &Json) -> Option<String> {
    if event["state"] == "done" {
        return Some("done".into());
    }
    event["message"].as_str()?.split_once(": ").map(|(state, _)| state.to_owned())
}

fn check(bench: &Bench<'_>, path: &Path) {
    let file = path.to_str().unwrap();
    let plan = bench.planloom(&["plan", file, "--adapter", "golem", "--budget", "5"]);
    let plan = String::from_utf8(plan.stdout).unwrap();
    assert!(plan.contains("at most 5 in all") && plan.contains("rents the cheapest offer"), "{file}: {plan}");
    bench.succeed("apply", file);
    let resources = bench.recorded();
    let services = services(&resources);
    assert!(!services.is_empty());
    assert!(services.iter().all(|it| it["outputs"]["state"] == "running"), "{file}: {resources}");
    assert_eq!(bench.open().agreements.len(), services.len(), "{file}");
    use_proxies(&services, file);
    heal(bench, file);
    bench.succeed("destroy", file);
    bench.nothing_is_open(file);
    bench.forget();
}

fn services(resources: &Json) -> Vec<Json> {
    let all = resources.as_object().unwrap().iter();
    all.filter(|(address, _)| address.starts_with("services.")).map(|(_, it)| it.clone()).collect()
}

/// Each HTTP proxy answers, from the address that its service has in the network.
fn use_proxies(services: &[Json], file: &str) {
    for service in services {
        let Some(address) = service["outputs"]["http_proxy"]["ports"][0]["address"].as_str() else {
            continue;
        };
        let ip = service["outputs"]["network_node"]["ip"].as_str().unwrap();
        let answer = get(address);
        assert!(answer.contains(ip), "{file}: {answer}");
    }
}

/// The first line of what an HTTP server of this machine answers, and the start of its body.
fn get(address: &str) -> String {
    let authority = address.trim_start_matches("http://");
    let mut stream = TcpStream::connect(authority).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {authority}\r\n\r\n").unwrap();
    let mut answer = String::new();
    let mut buffer = [0; 4096];
    while !answer.contains("simulated provider") {
        let length = stream.read(&mut buffer).unwrap();
        assert_ne!(length, 0, "{answer}");
        answer.push_str(&String::from_utf8_lossy(&buffer[..length]));
    }
    answer
}

/// A provider ends its agreement; the next apply rents from another one, and rents the dependents again.
fn heal(bench: &Bench<'_>, file: &str) {
    let resources = bench.recorded();
    let victim = &services(&resources)[0];
    let (id, name) =
        (&victim["outputs"]["agreement"]["id"], &victim["outputs"]["agreement"]["provider_name"]);
    let provider = bench.network.providers().iter().find(|it| Some(it.name()) == name.as_str()).unwrap();
    let path = format!("/market-api/v1/agreements/{}/terminate", id.as_str().unwrap());
    let reason = serde_json::json!({"message": "no more"});
    host::run(provider.api().post(&path, reason)).unwrap().unwrap();
    let told = bench.succeed("apply", file);
    assert!(
        told.contains("it has ended; its adapter reports: ") && told.contains("ended the agreement"),
        "{file}: {told}"
    );
    let healed = bench.recorded();
    let agreements = |of: &Json| -> Vec<Json> {
        services(of).iter().map(|it| it["outputs"]["agreement"]["id"].clone()).collect()
    };
    assert!(!agreements(&healed).contains(id));
    assert_eq!(agreements(&healed).len(), agreements(&resources).len());
    assert_eq!(bench.open().agreements.len(), agreements(&healed).len(), "{file}");
    use_proxies(&services(&healed), file);
}
