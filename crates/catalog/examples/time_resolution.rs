//! Measures how long choosing versions takes, on a catalog that is given as files.
//!
//! `cargo run --release -p planloom-catalog --example time_resolution -- FILES [PACKAGE…]`; a name with a dot
//! is a file.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a program that measures")]

use std::{fs, sync::Arc, time::Instant};

use diag::FileId;
use planloom_catalog::{CatalogText, Index, Profile, Request, Requirement, Resolution, read};
use resolve::Budget;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (files, packages): (Vec<&String>, Vec<&String>) = arguments.iter().partition(|it| it.contains('.'));
    let texts: Vec<String> = files.iter().map(|it| fs::read_to_string(it).expect("a file")).collect();
    let texts: Vec<CatalogText<'_>> =
        (0..).zip(&texts).map(|(at, text)| CatalogText { file: FileId(at), text }).collect();
    let start = Instant::now();
    let (catalog, found) = read("catalog", &texts);
    println!("read in {:?}, {} findings, {} packages", start.elapsed(), found.len(), catalog.packages.len());
    let catalogs = [catalog];
    let start = Instant::now();
    let index = Index::new(&catalogs);
    println!("index in {:?}", start.elapsed());
    for profile in [Profile::Phase0, Profile::V1, Profile::V0] {
        let one =
            |name: &str| Requirement { name: name.into(), package: name.into(), ..Requirement::default() };
        let names: Vec<Arc<str>> = match packages.is_empty() {
            true => catalogs[0].packages.keys().cloned().collect(),
            false => packages.iter().map(|it| it.as_str().into()).collect(),
        };
        let (mut total, mut worst, mut solved) =
            (std::time::Duration::ZERO, (std::time::Duration::ZERO, ""), 0);
        for name in &names {
            let request = Request { profile, requirements: vec![one(name)], ..Request::default() };
            let start = Instant::now();
            let (resolution, _) = index.resolve(&catalogs, &request, &mut (), &Budget::default());
            let took = start.elapsed();
            total += took;
            worst = worst.max((took, name));
            solved += usize::from(matches!(resolution, Resolution::Solved(_)));
        }
        println!("{profile:?}: {} alone in {total:?}, {solved} solved, worst {worst:?}", names.len());
        let request =
            Request { profile, requirements: names.iter().map(|it| one(it)).collect(), ..Request::default() };
        let start = Instant::now();
        let (resolution, _) = index.resolve(&catalogs, &request, &mut (), &Budget::default());
        let outcome = match &resolution {
            Resolution::Solved(selected) => format!("{} selected", selected.len()),
            Resolution::Unsolvable { conflicts, .. } => format!("{} conflicts", conflicts.len()),
            Resolution::Stopped => "stopped".to_owned(),
        };
        println!("{profile:?}: all at once in {:?}: {outcome}", start.elapsed());
    }
}
