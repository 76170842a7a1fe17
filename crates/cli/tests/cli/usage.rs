use expect_test::expect;

use crate::run::{Folder, codes};

#[test]
fn help_is_short_and_not_an_error() {
    let folder = Folder::new(&[]);
    folder.check("--help", &expect![[r#"
        Plans and applies deployments that layered YAML files describe

        Usage: planloom [OPTIONS] <COMMAND>

        Commands:
          check         Report errors in descriptors, with their locations and how to fix them
          format        Lay files out: indentation, spaces and blank lines; values and comments stay
          merge         Merge descriptors and print the result
          graph         Print the dependency graph and the order in which resources are created
          compare       Show how two sets of files differ, and what applying the one over the other would do
          links         Print the link of each consumer, and why its provider was selected
          resolve       Choose versions of packages from catalogs, and explain the choices or the conflict
          plan          Show the required changes, destructive ones first
          apply         Apply the required changes, after confirmation
          destroy       Destroy all recorded resources, after confirmation
          watch         Check the recorded resources at an interval, and correct differences from the descriptors
          state         Show a state and its versions, restore an earlier version, or unlock it
          adapter-test  Test whether an adapter conforms to the protocol
          serve         Serve the app, adapters and states on the loopback interface of this machine
          region        Show the regions that services are served in
          explain       Show where a value comes from and which values it overrides, or what the code of a problem means
          spec          Check and expand specifications of services
          schema        Print the JSON Schema of descriptors, for editors

        Options:
              --color <WHEN>  Colour: auto, always or never. Auto respects `NO_COLOR` and `CLICOLOR_FORCE` [default: auto]
          -h, --help          Print help
          -V, --version       Print version

        Exit codes: 0 success, 1 errors, 2 `plan` found changes, `compare` differences or `spec diff` breaking changes.
        --- exit code 0
    "#]]);
    folder.check("check -h", &expect![[r#"
        Report errors in descriptors, with their locations and how to fix them

        Usage: planloom check [OPTIONS] [FILES]...

        Arguments:
          [FILES]...  Descriptors in merge order: later ones override earlier ones. `-` is standard input, a `.zip` file a package

        Options:
              --types <FILE>           Add or override resource kinds with this file of type definitions (repeatable)
              --catalog <[NAME=]PATH>  Choose versions of packages from this OLM catalog, a file or a folder (repeatable; the first one has the highest priority)
              --lenient                Report unknown keys as warnings instead of errors
              --releases <DIR>         A folder with the specs of BOSH release jobs, named `<release>__<job>.yml`
              --profile <NAME>         The rules that links are checked against [possible values: bosh, strict]
          -o, --ops-file <FILE>        Apply this file of operations to the document in FILES, which may be any YAML file then (repeatable)
          -l, --vars-file <FILE>       Replace `((name))` and `((name.key))` by the values in this file (repeatable; a later one wins)
          -v, --var <NAME=VALUE>       Replace `((NAME))` by this value, which is YAML (repeatable; wins over files)
              --var-errs               A variable that is not defined is an error, not a warning
              --var-errs-unused        A defined variable that is not used is an error; otherwise only `--format json` lists it
              --adapter <ADAPTER>      An adapter whose type definitions are used (repeatable)
              --format <FORMAT>        The output format [default: text] [possible values: text, json, sarif, github]
              --color <WHEN>           Colour: auto, always or never. Auto respects `NO_COLOR` and `CLICOLOR_FORCE` [default: auto]
          -h, --help                   Print help (see more with '--help')

        Example: planloom check base.yaml prod.yaml
        --- exit code 0
    "#]]);
    assert_eq!(folder.run("--version").code, 0);
    let destroy = folder.run("destroy --help").out;
    assert!(
        destroy.contains("Example: planloom destroy") && !destroy.contains("planloom apply app"),
        "{destroy}"
    );
}

#[test]
fn wrong_usage_is_an_error_and_not_a_change() {
    let folder = Folder::new(&[]);
    folder.check(
        "plan --distroy",
        &expect![[r#"
        --- standard error
        error: unexpected argument '--distroy' found

          tip: a similar argument exists: '--destroy'

        Usage: planloom plan --destroy [FILES]...

        For more information, try '--help'.
        --- exit code 1
    "#]],
    );
    assert_eq!(folder.run("").code, 1);
    assert_eq!(folder.run("weave app.yaml").code, 1);
    let said = folder.run("plan --knock-on sometimes --format json");
    assert_eq!((said.code, codes(&said.json())), (1, vec!["host/usage"]));
    assert_eq!(said.out.matches('\n').count(), 1, "one line");
    let said = folder.run("--color never watch --format=json --evry 1");
    assert_eq!((said.code, codes(&said.json())), (1, vec!["host/usage"]));
    assert_eq!(said.json()["type"], "diagnostics", "an event like all others of that verb");
}

/// Text in curly brackets is part of the help.
#[test]
fn help_keeps_text_in_curly_brackets() {
    let said = Folder::new(&[]).run("adapter-test --help");
    assert!(said.out.contains("an `n` in curly brackets is replaced by the number"), "{}", said.out);
}

#[test]
fn the_schema_is_json() {
    let folder = Folder::new(&[]);
    let said = folder.run("schema");
    let schema: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert!(schema["properties"]["services"].is_object());
}

#[test]
fn the_likeliest_verb_is_suggested_first() {
    let said = Folder::new(&[]).run("chekc");
    assert!(said.err.contains("'check', 'schema'"), "{}", said.err);
}
