//! What the linker has to leave in so that page and engine can be split into parts.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|it| it == "wasm32") {
        for program in ["planloom-web", "planloom-engine"] {
            println!("cargo::rustc-link-arg-bin={program}=--emit-relocs");
            // A part's texts and tables go with it.
            println!("cargo::rustc-link-arg-bin={program}=--no-merge-data-segments");
        }
    }
}
