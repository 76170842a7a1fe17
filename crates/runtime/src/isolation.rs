use crate::Problem;

/// Runs code of a controller. Natively, a panic in it becomes a problem, so that it fails this controller only; its message
/// is still printed by the panic hook. In WebAssembly a panic ends the module, so there it cannot be caught.
///
/// Nothing of the runtime is borrowed while such code runs, and the future that panicked is dropped, so no state is seen that
/// the panic has left half changed, except state that controllers share among themselves.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn isolated<T>(code: impl FnOnce() -> T) -> Result<T, Problem> {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    catch_unwind(AssertUnwindSafe(code)).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        Problem::new(
            crate::codes::PANICKED.as_str(),
            text.map_or_else(|| "it panicked".to_owned(), first_line),
        )
    })
}

#[cfg(target_arch = "wasm32")]
pub(crate) fn isolated<T>(code: impl FnOnce() -> T) -> Result<T, Problem> {
    Ok(code())
}

#[cfg(not(target_arch = "wasm32"))]
fn first_line(text: &str) -> String {
    format!("it panicked: {}", text.lines().next().unwrap_or_default())
}
