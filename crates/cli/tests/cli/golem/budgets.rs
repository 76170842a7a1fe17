//! Another budget for what is rented already.

use std::{fs, process::Output};

use serde_json::Value as Json;

use super::bench::{APP, Bench, run};

fn with_budget(bench: &Bench<'_>, budget: &str, approval: &[&str]) -> Output {
    let words = ["apply", "app.yaml", "--state", "s.json", "--adapter", "golem", "--budget", budget];
    bench.planloom(&[&words[..], approval].concat())
}

/// The amounts of the allocations.
fn allocated(bench: &Bench<'_>) -> Vec<f64> {
    let open = bench.open().allocations;
    let all = host::run(bench.network.requestor().api.get("/payment-api/v1/allocations")).unwrap().unwrap();
    let is_open = |it: &&Json| open.iter().any(|id| it["allocationId"] == **id);
    let amount = |it: &Json| it["totalAmount"].as_str().unwrap().parse().unwrap();
    all.as_array().unwrap().iter().filter(is_open).map(amount).collect()
}

#[test]
fn the_last_budget_counts_even_if_nothing_is_rented() {
    run("budgets", |bench| {
        fs::write(bench.path("app.yaml"), APP).unwrap();
        bench.succeed("apply", "app.yaml");
        let open = bench.open();
        let unapproved = with_budget(bench, "7", &[]);
        let err = String::from_utf8(unapproved.stderr).unwrap();
        assert!(!unapproved.status.success() && err.contains("host/not-approved"), "{err}");
        assert_eq!(allocated(bench), [5.0]);
        for (budget, said) in [
            ("7", "Budget: for a budget of 7, 7 is set aside instead of 5.\n"),
            ("7", ""),
            ("0.5", "Budget: for a budget of 0.5, 0.5 is set aside instead of 7.\n"),
        ] {
            let done = with_budget(bench, budget, &["--auto-approve"]);
            let err = String::from_utf8(done.stderr).unwrap();
            assert!(done.status.success() && err == said, "{err}");
            assert_eq!((allocated(bench), bench.open()), (vec![budget.parse().unwrap()], open.clone()));
        }
        let done = with_budget(bench, "0.000000001", &["--auto-approve"]);
        let err = String::from_utf8(done.stderr).unwrap();
        assert!(!done.status.success() && err.contains("host/budget"), "{err}");
        assert_eq!(allocated(bench), [0.5]);
        bench.succeed("destroy", "app.yaml");
        bench.nothing_is_open("budgets");
        bench.forget();
    });
}
