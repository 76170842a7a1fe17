//! What the linker has to leave in so that the engine can be split into parts.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_set = |name: &str, value: &str| std::env::var(name).is_ok_and(|it| it == value);
    if is_set("CARGO_CFG_TARGET_ARCH", "wasm32") && is_set("CARGO_FEATURE_SPLIT", "1") {
        println!("cargo::rustc-link-arg-bin=planloom-engine=--emit-relocs");
        // A part's texts and tables go with it.
        println!("cargo::rustc-link-arg-bin=planloom-engine=--no-merge-data-segments");
    }
}
