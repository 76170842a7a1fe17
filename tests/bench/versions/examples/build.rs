use planloom_bench_versions::*;
use planloom_resolve::*;
fn main() {
    let set = &sets()[2];
    for _ in 0..500 { for p in &set.problems { std::hint::black_box(Problem::new(p.clone())); } }
}
