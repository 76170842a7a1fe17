//! Times of the store and the runtime: the same code natively (`main.rs`) and in wasm ([`run`]).

mod host;
mod queue;
mod resources;
mod watches;

pub use host::{Host, Row};

/// All rows.
pub fn rows(host: &Host) -> Vec<Row> {
    let mut rows = resources::rows(host);
    rows.extend(watches::rows(host));
    rows.extend(queue::rows(host));
    rows
}

/// The rows as JSON: what, the time of one in microseconds, or its bytes.
pub fn json(rows: &[Row]) -> String {
    let rows = rows.iter().map(|row| {
        let Row { what, each, unit, count } = row;
        format!("{{\"what\":\"{what}\",\"each\":{each},\"unit\":\"{unit}\",\"count\":{count}}}")
    });
    format!("[{}]", rows.collect::<Vec<_>>().join(","))
}

#[cfg(target_arch = "wasm32")]
mod wasm {
    use std::cell::RefCell;

    use crate::{Host, json, rows};

    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Milliseconds.
        safe fn now() -> f64;
        /// Bytes in use.
        safe fn bytes() -> f64;
    }

    thread_local! {
        static TEXT: RefCell<String> = RefCell::default();
    }

    /// Measures; then [`length`] bytes of JSON are here.
    #[unsafe(no_mangle)]
    pub extern "C" fn run() -> *const u8 {
        let text = json(&rows(&Host { now: || now(), bytes: || bytes() }));
        TEXT.replace(text);
        TEXT.with_borrow(|text| text.as_ptr())
    }

    /// The length of the text in bytes.
    #[unsafe(no_mangle)]
    pub extern "C" fn length() -> usize {
        TEXT.with_borrow(String::len)
    }
}
