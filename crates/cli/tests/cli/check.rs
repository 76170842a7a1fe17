use expect_test::expect;

use workspace::{File, Workspace};

use crate::run::{Folder, codes};

const GOOD: &str = "\
payloads:
  p: {runtime: vm, capabilities: [vpn]}
networks:
  lan: {ip: 10.0.0.0/24}
services:
  db: {payload: p, network: lan}
";

#[test]
fn good_files_are_good() {
    let folder = Folder::new(&[("app.yaml", GOOD), ("more.yaml", "meta: {name: shop}\n")]);
    folder.check(
        "check app.yaml",
        &expect![[r#"
            1 file, no problems
            --- exit code 0
        "#]],
    );
    folder.check(
        "check app.yaml more.yaml",
        &expect![[r#"
            2 files, no problems
            --- exit code 0
        "#]],
    );
}

#[test]
fn what_cannot_be_rented_is_found_without_a_daemon() {
    let app = "\
payloads:
  typo: {runtime: vm, capabilities: [vnp], params: {image_tag: me/counter:1.0}}
  filter: {runtime: vm, constraints: [\"golem.inf.mem.gib=>2\"], params: {image_tag: me/counter:1.0}}
  image: {runtime: vm, params: {min_mem_gib: 1}}
services:
  a: {payload: typo}
  b: {payload: filter}
  c: {payload: image}
";
    let folder = Folder::new(&[("app.yaml", app)]);
    folder.check("check app.yaml --adapter golem", &expect![[r#"
        error[adapter/invalid-spec]: `services.a` cannot be rented: `vnp` is not a capability; those of `vm` are vpn, inet, manifest-support, start-entrypoint
          ╭▸ app.yaml:2:38
          │
        2 │   typo: {runtime: vm, capabilities: [vnp], params: {image_tag: me/counter:1.0}}
          │                                      ━━━
          │
          ╰ help: nothing was requested; correct the payload

        error[adapter/invalid-spec]: `services.b` cannot be rented: `golem.inf.mem.gib=>2` has no value behind `=`
          ╭▸ app.yaml:3:39
          │
        3 │   filter: {runtime: vm, constraints: ["golem.inf.mem.gib=>2"], params: {image_tag: me/counter:1…
          │                                       ━━━━━━━━━━━━━━━━━━━━━━
          │
          ╰ help: nothing was requested; correct the payload

        error[adapter/invalid-spec]: `services.c` cannot be rented: there is no image: write `image_hash`, `image_tag` or `image_url`
          ╭▸ app.yaml:4:32
          │
        4 │   image: {runtime: vm, params: {min_mem_gib: 1}}
          │                                ━━━━━━━━━━━━━━━━
          │
          ╰ help: nothing was requested; correct the payload

        3 errors in 1 file
        --- exit code 1
    "#]]);
    folder.check(
        "check app.yaml --adapter golem --adapter process",
        &expect![[r#"
            error[engine/not-accepted]: the adapter `process` does not accept `vm` as `payload.runtime` of `services.a` and 2 more
              ╭▸ app.yaml:2:19
              │
            2 │   typo: {runtime: vm, capabilities: [vnp], params: {image_tag: me/counter:1.0}}
              │                   ━━
            3 │   filter: {runtime: vm, constraints: ["golem.inf.mem.gib=>2"], params: {image_tag: me/counter:1…
              │                     ── `vm` is not accepted
            4 │   image: {runtime: vm, params: {min_mem_gib: 1}}
              │                    ── `vm` is not accepted
              │
              ╰ help: nothing was done; it accepts `process`: write that, or choose an adapter that accepts
                      `vm`; the simulator accepts everything and creates nothing real

            1 error in 1 file
            --- exit code 1
        "#]],
    );
}

#[test]
fn a_mistake_is_underlined_and_a_fix_is_shown() {
    let folder = Folder::new(&[("app.yaml", GOOD), ("web.yaml", "services:\n  other:\n    pyaload: p\n")]);
    folder.check(
        "check app.yaml web.yaml",
        &expect![[r#"
        error[lower/unknown-key]: unknown key `services.other.pyaload`
          ╭▸ web.yaml:3:5
          │
        3 │     pyaload: p
          │     ━━━━━━━
          │
          ╰ help: did you mean `payload`?
        help: Rename to `payload`
          ╭╴
        3 -     pyaload: p
        3 +     payload: p
          ╰╴

        1 error in 2 files
        --- exit code 1
    "#]],
    );
}

#[test]
fn places_in_several_files_are_shown_together() {
    let folder = Folder::new(&[("app.yaml", GOOD), ("edit.yaml", "networks: [lan]\n")]);
    folder.check(
        "check app.yaml edit.yaml",
        &expect![[r#"
            error[merge/kind-mismatch]: `networks` is a list here and a map in an earlier file
              ╭▸ edit.yaml:1:1
              │
            1 │ networks: [lan]
              │ ━━━━━━━━
              │
              ⸬  app.yaml:3:1
              │
            3 │ networks:
              │ ──────── a map here
              │
              ╰ help: write a map, or put `!override` before the value to replace what is there; until then
                      this value is ignored

            1 error in 2 files
            --- exit code 1
        "#]],
    );
}

#[test]
fn several_mistakes_are_counted() {
    let text = "services:\n  a: {payload: x, depends_on: [b]}\n  b: {payload: z, depends_on: [a]}\n";
    let folder = Folder::new(&[("app.yaml", text)]);
    folder.check(
        "check app.yaml",
        &expect![[r#"
            error[lower/unknown-name]: no payload is called `x`
              ╭▸ app.yaml:2:16
              │
            2 │   a: {payload: x, depends_on: [b]}
              │   ┬            ━
              │   │
              │   needed by `services.a`
              │
              ╰ help: no payload is declared

            error[graph/cycle]: dependency cycle: services.a → services.b → services.a
              ╭▸ app.yaml:2:32
              │
            2 │   a: {payload: x, depends_on: [b]}
              │                                ━
              │                                │
              │                                services.a names services.b in `depends_on` (explicit)
            3 │   b: {payload: z, depends_on: [a]}
              │                                ─ services.b names services.a in `depends_on` (explicit)
              │
              ╰ help: remove services.b from `depends_on` of services.a, or services.a from `depends_on` of
                      services.b

            error[lower/unknown-name]: no payload is called `z`
              ╭▸ app.yaml:3:16
              │
            3 │   b: {payload: z, depends_on: [a]}
              │   ┬            ━
              │   │
              │   needed by `services.b`
              │
              ╰ help: no payload is declared

            3 errors in 1 file
            --- exit code 1
        "#]],
    );
    let json = folder.run("check app.yaml --format json");
    assert_eq!(json.code, 1);
    let view = json.json();
    assert_eq!(view["format"], "planloom.check/1");
    assert!(codes(&view).len() >= 3, "all mistakes are reported at once: {view}");
}

#[test]
fn lenient_makes_unknown_keys_warnings() {
    let folder = Folder::new(&[("app.yaml", &format!("{GOOD}  web: {{payload: p, replicas: 2}}\n"))]);
    assert_eq!(folder.run("check app.yaml").code, 1);
    folder.check(
        "check app.yaml --lenient",
        &expect![[r#"
            warning[lower/unknown-key]: unknown key `services.web.replicas`
              ╭▸ app.yaml:7:21
              │
            7 │   web: {payload: p, replicas: 2}
              │                     ━━━━━━━━
              │
              ╰ help: known keys: `payload`, `init`, `network`, `ip`, `http_proxy`, `tcp_proxy`,
                      `depends_on`, `instances`, `host`, `provides`, `consumes`, `links`, `labels`, `state`,
                      `network_node`, `agreement`, `activity`; keys that begin with `x-` are free

            1 warning in 1 file
            --- exit code 0
        "#]],
    );
}

#[test]
fn broken_yaml_is_explained() {
    let folder = Folder::new(&[("app.yaml", "services:\n  a: [1, 2\n  b: 3\n")]);
    folder.check(
        "check app.yaml",
        &expect![[r#"
        error[syntax/unclosed-bracket]: this `[` is not closed
          ╭▸ app.yaml:2:6
          │
        2 │   a: [1, 2
          │      ━
        3 │   b: 3
          │    ─ this cannot be inside it
          │
          ╰ help: close it with `]`

        1 error in 1 file
        --- exit code 1
    "#]],
    );
}

#[test]
fn colour_is_for_those_who_want_it() {
    let coloured = |folder: Folder, words: &str| folder.run(words).out.contains('\u{1b}');
    let folder = || Folder::new(&[("app.yaml", GOOD)]);
    assert!(!coloured(folder(), "check app.yaml"), "not into a pipe");
    assert!(coloured(folder(), "check app.yaml --color always"));
    assert!(coloured(folder().variable("CLICOLOR_FORCE", "1"), "check app.yaml"));
    assert!(!coloured(folder().variable("CLICOLOR_FORCE", "0"), "check app.yaml"));
    assert!(!coloured(folder().variable("CLICOLOR_FORCE", "1").variable("NO_COLOR", "1"), "check app.yaml"));
    assert!(
        coloured(folder().variable("NO_COLOR", "1"), "check app.yaml --color always"),
        "a flag goes first"
    );
    assert!(!coloured(folder().variable("CLICOLOR_FORCE", "1"), "check app.yaml --color never"));
}

#[test]
fn terminal_escapes_in_files_are_neutralized() {
    let text =
        "payloads:\n  p: {runtime: vm}\nservices:\n  \"\\e[31mred\": {payload: p, \"\\e]0;title\\a\": 1}\n";
    let folder = Folder::new(&[("app.yaml", text)]);
    for verb in ["check", "merge", "graph", "plan"] {
        let said = folder.run(&format!("{verb} app.yaml --lenient"));
        assert!(
            !said.out.contains('\u{1b}') && !said.err.contains('\u{1b}'),
            "{verb}: {}{}",
            said.out,
            said.err
        );
    }
}

#[test]
fn standard_input_and_packages_are_files_too() {
    let folder = Folder::new(&[]).stdin(GOOD.as_bytes());
    folder.check(
        "check -",
        &expect![[r#"
            1 file, no problems
            --- exit code 0
        "#]],
    );
    let folder = Folder::new(&[]).stdin(b"services:\n  a: {payload: p}\n");
    folder.check(
        "check -",
        &expect![[r#"
        error[lower/unknown-name]: no payload is called `p`
          ╭▸ <stdin>:2:16
          │
        2 │   a: {payload: p}
          │   ┬            ━
          │   │
          │   needed by `services.a`
          │
          ╰ help: no payload is declared

        1 error in 1 file
        --- exit code 1
    "#]],
    );
}

#[test]
fn the_files_of_a_package_are_named_with_it() {
    let mut packed = Workspace::new();
    let file = |name: &str, text: &str| File { name: name.into(), text: text.into(), package: None };
    packed.set_files(vec![file("app.yaml", GOOD), file("web.yaml", "services: {web: {payload: q}}\n")]);
    let folder = Folder::new(&[("fix.yaml", "payloads: {q: {runtime: vm}}\n")]);
    folder.write("app.zip", &packed.write_package());
    folder.check(
        "check app.zip",
        &expect![[r#"
        error[lower/unknown-name]: no payload is called `q`
          ╭▸ app.zip/web.yaml:1:27
          │
        1 │ services: {web: {payload: q}}
          │            ┬──            ━
          │            │
          │            needed by `services.web`
          │
          ╰ help: declared: `p`

        1 error in 2 files
        --- exit code 1
    "#]],
    );
    folder.check(
        "check app.zip fix.yaml",
        &expect![[r#"
            3 files, no problems
            --- exit code 0
        "#]],
    );
    folder.check(
        "explain payloads.q.runtime app.zip fix.yaml",
        &expect![[r#"
        payloads.q.runtime
          is    fix.yaml:1  set here  vm
        --- exit code 0
    "#]],
    );
    let package = std::fs::File::open(folder.path("app.zip")).expect("the package");
    let output = folder.command("check -").stdin(package).output().expect("its end");
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(out.contains("<stdin>/web.yaml:1:27"), "a package is known by its first bytes: {out}");
}

#[test]
fn a_thousand_mistakes_do_not_fill_the_screen() {
    let mut text = String::from("payloads:\n  p: {runtime: vm}\nservices:\n");
    for n in 0..1000 {
        text.push_str(&format!("  s{n}: {{payload: p, wrong: 1}}\n"));
    }
    let folder = Folder::new(&[("app.yaml", &text)]);
    let said = folder.run("check app.yaml");
    assert_eq!(said.code, 1);
    assert!(
        said.out.contains("… and 900 more") && said.out.ends_with("1000 errors in 1 file\n"),
        "{}",
        said.out
    );
    assert_eq!(codes(&folder.run("check app.yaml --format json").json()).len(), 1000);
}

#[test]
fn mistakes_in_one_long_line_do_not_fill_the_screen() {
    let services: Vec<String> = (0..2000).map(|n| format!("s{n}: {{payload: p, lables: {{}}}}")).collect();
    let text = format!("payloads: {{p: {{runtime: vm}}}}\nservices: {{{}}}\n", services.join(", "));
    let folder = Folder::new(&[("app.yaml", &text)]);
    let said = folder.run("check app.yaml");
    assert_eq!(said.code, 1);
    let widest = said.out.lines().map(|it| it.chars().count()).max();
    assert!(widest.is_some_and(|it| it <= 110), "{widest:?}");
    assert!(said.out.len() < 100_000, "{}", said.out.len());
    assert!(said.out.ends_with("2000 errors in 1 file\n"));
    let first: Vec<&str> = said.out.lines().take(13).collect();
    expect![[r#"
        error[lower/unknown-key]: unknown key `services.s0.lables`
          ╭▸ app.yaml:2:29
          │
        2 │ services: {s0: {payload: p, lables: {}}, s1: {payload: p, lables: {}}, s2: {payload: p, lables:…
          │                             ━━━━━━
          │
          ╰ help: did you mean `labels`?
        help: Rename to `labels`
          ╭╴
        2 - services: {s0: {payload: p, lables: {}}, s1: {payload: p, lables: {}}, s2:…
        2 + services: {s0: {payload: p, labels: {}}, s1: {payload: p, lables: {}}, s2:…
          ╰╴
    "#]]
    .assert_eq(&first.join("\n"));
    assert_eq!(
        said.out.matches(" - …").count(),
        2,
        "the second and third of a sort; the others look the same"
    );
}

#[test]
fn hints_come_behind_what_is_wrong_in_their_file() {
    let hinted = "nodes: {w: {payload: q}}\npayloads: {p: {runtime: vm}}\n";
    let said = Folder::new(&[("a.yaml", hinted)]).run("check a.yaml");
    let titles = said.out.lines().filter(|it| it.contains("]: "));
    let severities: Vec<&str> = titles.filter_map(|it| it.split('[').next()).collect();
    assert_eq!(severities, ["error", "hint"]);
}
