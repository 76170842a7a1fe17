use std::hint::black_box;

use planloom_resolve::Variable;

/// The functions that a benchmark needs of its host.
pub struct Host {
    /// The time in milliseconds.
    pub now: fn() -> f64,
}

impl Host {
    /// The mean over all problems of the shortest time that one took, as JSON: what is prepared is not counted.
    pub fn row<T>(
        &self,
        what: &str,
        solver: &str,
        problems: &[Vec<Variable>],
        prepare: &dyn Fn(&Vec<Variable>) -> T,
        solve: &dyn Fn(T) -> usize,
    ) -> String {
        let mut selected = Vec::new();
        let mut total = 0.0;
        for problem in problems {
            let mut best = f64::INFINITY;
            let mut last = 0;
            for _ in 0..5 {
                let input = prepare(problem);
                let start = (self.now)();
                last = black_box(solve(input));
                best = best.min((self.now)() - start);
            }
            selected.push(last.to_string());
            total += best;
        }
        let each = total / problems.len() as f64;
        let selected = selected.join(",");
        format!("{{\"what\":\"{what}\",\"solver\":\"{solver}\",\"millis\":{each},\"selected\":[{selected}]}}")
    }
}
