//! The daemon is killed and started again while the program works: the next run finishes.

use std::{fs, process::Stdio, thread, time::Duration};

use golem_network::Stop;

use super::bench::{APP, run};

#[test]
fn nothing_is_lost_by_a_restart_of_the_daemon() {
    run("restarts", |bench| {
        fs::write(bench.path("app.yaml"), APP).unwrap();
        for (verb, millis) in [("apply", 100), ("apply", 1300), ("apply", 2600), ("destroy", 300)] {
            if verb == "destroy" {
                bench.succeed("apply", "app.yaml");
            }
            let mut command = bench.command(&bench.work(verb, "app.yaml"));
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            thread::sleep(Duration::from_millis(millis));
            bench.network.restart_requestor(Stop::Kill).unwrap();
            child.wait().unwrap();
            let when = format!("{verb}, restarted after {millis} ms");
            if verb == "apply" {
                // What the run did after the restart may need one more: a network that was lost is noticed next.
                bench.succeed("apply", "app.yaml");
                bench.succeed("apply", "app.yaml");
                let open = bench.open();
                assert_eq!((open.activities.len(), open.allocations.len()), (2, 1), "{when}: {open:?}");
            }
            bench.succeed("destroy", "app.yaml");
            bench.nothing_is_open(&when);
            bench.forget();
        }
    });
}
