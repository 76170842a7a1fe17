use std::time::*;
use planloom_bench_versions::*;
use planloom_resolve::*;
fn main() {
    for set in sets().iter() {
        let mut best = [Duration::from_secs(9); 4];
        for _ in 0..60 { 
            let mut t = [Duration::ZERO; 4];
            for p in &set.problems {
            let p = p.clone();
            let t0 = Instant::now();
            let (problem, _) = Problem::new(p);
            let t1 = Instant::now();
            let a = solve(&problem, &mut (), &Limits{explanation_steps: 0, ..Limits::default()});
            let t2 = Instant::now();
            let b = solve(&problem, &mut (), &Limits::default());
            let t3 = Instant::now();
            drop(problem);
            let t4 = Instant::now();
            for (i, (x, y)) in [(t0,t1),(t1,t2),(t2,t3),(t3,t4)].iter().enumerate() { t[i] += *y - *x; }
            std::hint::black_box((a, b));
            }
            for i in 0..4 { best[i] = best[i].min(t[i] / set.problems.len() as u32); }
        }
        println!("{}: build {:?} solve {:?} with explanation {:?} drop {:?}", set.what, best[0], best[1], best[2], best[3]);
    }
}
