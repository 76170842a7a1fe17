use adapter::Adapter;
use tokio::{task::JoinSet, time::Instant};

use crate::bench::{Bench, known, marked, run};

/// Creates many services at a time, and prints the cost.
#[expect(clippy::print_stdout, reason = "figures are to be seen")]
#[test]
fn many_services_come_and_go() {
    run(async |bench: &Bench| {
        let adapter = std::rc::Rc::new(bench.adapter().await);
        let begun = Instant::now();
        let mut creating = JoinSet::new();
        for _ in 0..100 {
            let (adapter, request) = (adapter.clone(), bench.script("exec sleep 600"));
            creating.spawn_local(async move {
                let seen = adapter.create(&request).await.unwrap();
                known(&request, &seen)
            });
        }
        let made = creating.join_all().await;
        let created = begun.elapsed();
        // What the ids of this test begin with; other tests run at the same time.
        let prefix = made[0].request.deployment.clone();
        assert!(marked(&prefix).len() >= 100);
        let begun = Instant::now();
        let mut destroying = JoinSet::new();
        for known in made {
            let adapter = adapter.clone();
            destroying.spawn_local(async move { adapter.destroy(&known).await.unwrap() });
        }
        destroying.join_all().await;
        println!("100 services: made in {created:?}, destroyed in {:?}", begun.elapsed());
        assert_eq!(marked(&prefix).len(), 0, "none is left");
    });
}
