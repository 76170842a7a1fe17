//! Laws that hold for every input, through the same boundary that hosts use.

mod apps;
mod counts;
pub(crate) mod edits;
pub(crate) mod fixes;
mod layers;
mod links;
mod manifests;
mod mistakes;
mod noise;
mod plans;

use planloom_tests::{example::Inputs, outputs::Outputs};
use proptest::prelude::ProptestConfig;
use serde_json::Value as Json;
use workspace::File;

/// Cases of each law; `PROPTEST_CASES` asks for more.
fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|it| it.parse().ok()).unwrap_or(96);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn inputs(texts: &[String]) -> Inputs {
    let file =
        |(n, text): (usize, &String)| File { name: format!("{n}.yaml"), text: text.clone(), package: None };
    Inputs { files: texts.iter().enumerate().map(file).collect(), ..Inputs::default() }
}

fn answers(texts: &[String]) -> Outputs {
    Outputs::of(&inputs(texts))
}

fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Json) -> &str {
    value.as_str().unwrap_or_default()
}
