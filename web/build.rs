//! What the linker has to leave in so that the engine can be split into parts.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|it| it == "wasm32") {
        println!("cargo::rustc-link-arg-bin=planloom-engine=--emit-relocs");
        // A part's texts and tables go with it.
        println!("cargo::rustc-link-arg-bin=planloom-engine=--no-merge-data-segments");
    }
}
