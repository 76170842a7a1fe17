//! The speed at which texts are read and written: `cargo run --release -p planloom-syntax --example time_syntax [FILE…]`.
#![expect(clippy::print_stdout, reason = "an example prints its result")]

use std::fmt::Write as _;
use std::time::Instant;

use diag::FileId;
use planloom_syntax::{Limits, emit, parse};

/// A descriptor of about this many bytes.
fn descriptor(bytes: usize) -> String {
    let mut text = String::from("meta:\n  name: shop # a comment\n  version: \"1.2.3\"\nservices:\n");
    let mut idx = 0;
    while text.len() < bytes {
        let _ = write!(
            text,
            "  service-{idx}:\n    payload: payload-{}\n    network: default\n    ip: [\"192.168.{}.{}\"]\n    depends_on:\n      \
             - service-{}\n    init:\n      - run:\n          args: [\"/bin/sh\", \"-c\", \"echo ${{services.service-{}.network_node.ip}}\"]\n    \
             # ports\n    http_proxy:\n      ports:\n        - \"80{:02}:80\"\n    instances: {}\n",
            idx % 20,
            idx / 200,
            idx % 200,
            idx / 2,
            idx / 3,
            idx % 100,
            idx % 7 + 1,
        );
        idx += 1;
    }
    text
}

fn measure(name: &str, bytes: usize, mut run: impl FnMut()) {
    let mut best = f64::INFINITY;
    for _ in 0..30 {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name}: {:.2} ms, {:.0} MB/s", best * 1e3, bytes as f64 / best / 1e6);
}

fn main() {
    let mut inputs = vec![("414 KB of services".to_owned(), descriptor(414_000))];
    for path in std::env::args().skip(1) {
        inputs.push((path.clone(), std::fs::read_to_string(&path).unwrap_or_default()));
    }
    for (name, text) in inputs {
        let limits = Limits::default();
        let read = parse(FileId(0), &text, &limits);
        println!("{name}: {} bytes, {} diagnostics", text.len(), read.diagnostics.len());
        measure("  parse", text.len(), || drop(parse(FileId(0), &text, &limits)));
        if let Some(root) = &read.document.root {
            measure("  emit", text.len(), || drop(emit(root)));
        }
        let wide = text.replace("# a comment", "# ü comment");
        measure("  parse, not all ASCII", wide.len(), || drop(parse(FileId(0), &wide, &limits)));
    }
}
