use expect_test::expect;

use crate::run::{Folder, codes};

#[test]
fn help_is_short_and_not_an_error() {
    let folder = Folder::new(&[]);
    folder.check("--help", &expect![[r#"
        Shows what a deployment will do before it does it

        Usage: planloom [OPTIONS] <COMMAND>

        Commands:
          check         Say what is wrong with descriptors, where, and what to do
          merge         Print the merged document
          graph         Print who needs whom, and what can start at the same time
          links         Print who provides what for whom, and why
          resolve       Choose versions of packages from catalogs, and say why; or why it can't be done
          plan          Say what has to happen, the dangerous part first
          apply         Carry out what has to happen, after asking
          destroy       Remove everything that is recorded, after asking
          watch         Keep what exists as it is described: look again and again, and repair
          state         Look at a recorded state and its history, go back to an earlier one, free its lock
          adapter-test  Hold an adapter, in any language, to the protocol
          serve         Serve the app, adapters and states to this machine, and to nobody else
          explain       Say where one value came from and what it replaced
          schema        Print the JSON Schema of descriptors, for editors

        Options:
              --color <WHEN>  Colour: auto, always or never. Auto respects `NO_COLOR` and `CLICOLOR_FORCE` [default: auto]
          -h, --help          Print help
          -V, --version       Print version

        Exit codes: 0 fine, 1 errors, 2 `plan` found changes.
        --- exit code 0
    "#]]);
    folder.check("check -h", &expect![[r#"
        Say what is wrong with descriptors, where, and what to do

        Usage: planloom check [OPTIONS] [FILES]...

        Arguments:
          [FILES]...  Descriptors in merge order: later ones win. `-` is standard input, a `.zip` a package

        Options:
              --types <FILE>           Add or override kinds of resources with this definition file (repeatable)
              --catalog <[NAME=]PATH>  Choose versions of packages from this catalog of OLM, a file or a folder (repeatable: the first one counts most)
              --lenient                Unknown keys are warnings, not errors
              --releases <DIR>         A folder with the specs of BOSH's release jobs, named `<release>__<job>.yml`
              --profile <NAME>         Whose rules count for links [possible values: bosh, strict]
              --format <FORMAT>        Text for people or JSON for programs [default: text] [possible values: text, json]
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

/// What stands in curly brackets is not swallowed.
#[test]
fn help_says_what_is_meant() {
    let said = Folder::new(&[]).run("adapter-test --help");
    assert!(said.out.contains("an `n` in curly brackets stands for the number"), "{}", said.out);
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
