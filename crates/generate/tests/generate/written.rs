//! Writes everything for the tests that need other programs: `tests/npm/generated.mjs` compiles the types and validates the
//! documents.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use planloom_generate as generate;

use crate::support::all;

/// The folder for outputs in the one in which `cargo` builds, as for the cases of the suite.
fn folder() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target")).join("generated")
}

#[test]
fn outputs_are_written_for_other_programs() {
    let folder = folder();
    fs::create_dir_all(&folder).expect("a folder");
    let format = format!("{:#}\n", generate::specification_schema());
    fs::write(folder.join("specification.schema.json"), format).expect("it can be written");
    for (name, service) in all() {
        let it = service.definition();
        let write =
            |file: String, text: String| fs::write(folder.join(file), text).expect("it can be written");
        write(format!("{name}.ts"), generate::typescript(it));
        write(format!("{name}.openapi.json"), format!("{:#}\n", generate::openapi(it)));
        write(format!("{name}.schema.json"), format!("{:#}\n", generate::json_schema(it)));
        write(format!("{name}.md"), generate::markdown(it));
        write(format!("{name}.permissions.yaml"), generate::permissions(it));
        write(format!("{name}.roles.yaml"), generate::roles(it));
    }
}
