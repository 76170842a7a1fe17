//! Measures the time of each phase on a thousand services in five files: `cargo run --release -p planloom-workspace --example
//! time_workspace`.
#![expect(clippy::print_stdout, reason = "prints its measurements")]

use std::{fmt::Write, time::Instant};

use planloom_workspace::{File, PlanOptions, Workspace};

fn main() {
    let mut files: Vec<File> = (0..5).map(file).collect();
    let bytes: usize = files.iter().map(|it| it.text.len()).sum();
    println!("{bytes} bytes");
    let mut workspace = Workspace::new();
    workspace.set_files(files.clone());
    println!("{} diagnostics", workspace.diagnostics().diagnostics.len());
    let mut times = Vec::new();
    for round in 0..30 {
        let text = format!("{}# {round}\n", files[2].text);
        files[2].text.clone_from(&text);
        let start = Instant::now();
        workspace.set_file("file2.yaml", &text);
        let read = start.elapsed();
        let count = workspace.diagnostics().diagnostics.len();
        times.push((start.elapsed(), read, count));
    }
    times.sort();
    println!("keystroke to diagnostics: median {:?} of which reading {:?}", times[15].0, times[15].1);
    let time = |name: &str, run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        println!("{name}: {:?}", start.elapsed());
    };
    time("graph", &mut || drop(workspace.graph()));
    time("layout", &mut || drop(workspace.layout()));
    time("merged with origins", &mut || drop(workspace.merged(true)));
    time("merged", &mut || drop(workspace.merged(false)));
    time("plan", &mut || drop(workspace.plan(&PlanOptions::default())));
}

fn file(n: usize) -> File {
    let mut text = String::new();
    if n == 0 {
        text.push_str("meta:\n  name: large\nnetworks:\n  default:\n    ip: 10.0.0.0/16\npayloads:\n");
        for p in 0..50 {
            let _ = writeln!(text, "  p{p}:\n    runtime: vm\n    params:\n      image_hash: \"{p:064x}\"");
        }
    }
    text.push_str("services:\n");
    for s in n * 200..(n + 1) * 200 {
        let _ = writeln!(text, "  service-{s}:\n    payload: p{}\n    network: default", s % 50);
        let _ = writeln!(text, "    ip:\n      - 10.0.{}.{}", 1 + s / 200, 2 + s % 200);
        if s > 0 {
            let other = s / 2;
            let _ = writeln!(text, "    depends_on:\n      - service-{other}");
            let _ = writeln!(
                text,
                "    init:\n      - run:\n          args: [\"/bin/sh\", \"-c\", \"run --db ${{services.service-{other}.network_node.ip}}\"]"
            );
        }
        let _ = writeln!(text, "    labels:\n      tier: \"{}\"\n      team: team-{}", s % 3, s % 7);
    }
    File { name: format!("file{n}.yaml"), text, package: None }
}
