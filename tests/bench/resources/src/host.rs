use std::hint::black_box;

/// What a benchmark needs of where it runs.
pub struct Host {
    /// The time in milliseconds.
    pub now: fn() -> f64,
    /// How many bytes are in use.
    pub bytes: fn() -> f64,
}

/// One figure.
pub struct Row {
    /// What was done.
    pub what: &'static str,
    /// Of one.
    pub each: f64,
    /// `µs` or `B`.
    pub unit: &'static str,
    /// So many were done.
    pub count: usize,
}

impl Host {
    /// Does `count` things at once.
    pub fn once<T>(&self, what: &'static str, count: usize, run: impl FnOnce() -> T) -> (T, Row) {
        let start = (self.now)();
        let answer = black_box(run());
        (answer, self.row(what, count, (self.now)() - start))
    }

    /// Does one thing several times, and takes the shortest: what it is without the machine's other work.
    pub fn best<T>(&self, what: &'static str, count: usize, run: impl Fn() -> T) -> Row {
        let times = (0..15).map(|_| {
            let start = (self.now)();
            drop(black_box(run()));
            (self.now)() - start
        });
        self.row(what, count, times.fold(f64::INFINITY, f64::min))
    }

    pub fn row(&self, what: &'static str, count: usize, millis: f64) -> Row {
        Row { what, each: millis * 1e3 / count as f64, unit: "µs", count }
    }
}
