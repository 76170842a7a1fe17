use std::hint::black_box;

/// The functions that a benchmark needs of its host.
pub struct Host {
    /// The time in milliseconds.
    pub now: fn() -> f64,
    /// The number of bytes in use.
    pub bytes: fn() -> f64,
}

/// One figure.
pub struct Row {
    /// The operation that was measured.
    pub what: &'static str,
    /// Of one.
    pub each: f64,
    /// `µs` or `B`.
    pub unit: &'static str,
    /// So many were done.
    pub count: usize,
}

impl Host {
    /// Measures `run`, which performs `count` operations at once.
    pub fn once<T>(&self, what: &'static str, count: usize, run: impl FnOnce() -> T) -> (T, Row) {
        let start = (self.now)();
        let answer = black_box(run());
        (answer, self.row(what, count, (self.now)() - start))
    }

    /// Measures `run` several times, and takes the shortest time: that without the other work of the machine.
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
