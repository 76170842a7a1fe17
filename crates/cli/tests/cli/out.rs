//! The destination of an answer, and the fate of a file that was there before.

use expect_test::expect;

use crate::run::Folder;

const GOOD: &str = "meta: {name: shop}\n";

#[test]
fn a_dash_is_standard_output() {
    let folder = Folder::new(&[("app.yaml", GOOD)]);
    for words in ["merge app.yaml", "merge app.yaml --format json", "graph app.yaml", "schema"] {
        let (said, dashed) = (folder.run(words), folder.run(&format!("{words} --out -")));
        assert_eq!((dashed.out, dashed.err, dashed.code), (said.out, said.err, said.code), "{words}");
    }
    let plan = folder.run("plan app.yaml --out -").json();
    assert_eq!(plan, folder.run("plan app.yaml --format json").json(), "a plan as JSON, and nothing else");
    assert_eq!(folder.names(), ["app.yaml"]);
    folder.run("merge app.yaml --out ./-");
    assert_eq!(folder.names(), ["-", "app.yaml"]);
}

#[cfg(unix)]
mod unix {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
    use std::process::Command;

    use super::*;

    #[test]
    fn a_link_stays_one() {
        let folder = Folder::new(&[("app.yaml", GOOD), ("deep/real.yaml", "old")]);
        symlink("deep/real.yaml", folder.path("link.yaml")).expect("a link");
        symlink("link.yaml", folder.path("twice.yaml")).expect("a link");
        symlink("deep/new.yaml", folder.path("dangling.yaml")).expect("a link");
        for (link, real) in [("twice.yaml", "deep/real.yaml"), ("dangling.yaml", "deep/new.yaml")] {
            assert_eq!(folder.run(&format!("merge app.yaml --out {link}")).code, 0);
            let found = fs::symlink_metadata(folder.path(link)).expect("it is there");
            assert!(found.is_symlink(), "{link}");
            assert_eq!(folder.read(real).as_deref(), Some("meta:\n  name: shop\n"), "{link}");
        }
        symlink("circle.yaml", folder.path("circle.yaml")).expect("a link");
        assert_eq!(folder.run("merge app.yaml --out circle.yaml").code, 1);
        let names = ["app.yaml", "circle.yaml", "dangling.yaml", "deep", "link.yaml", "twice.yaml"];
        assert_eq!(folder.names(), names, "nothing is left over");
    }

    #[test]
    fn a_file_keeps_who_may_read_it() {
        let folder = Folder::new(&[("app.yaml", GOOD), ("out.yaml", "old")]);
        // A graph holds no secrets; what may hold some is for its owner only.
        for mode in [0o600, 0o644, 0o751] {
            fs::set_permissions(folder.path("out.yaml"), Permissions::from_mode(mode)).expect("its mode");
            let before = fs::metadata(folder.path("out.yaml")).expect("it is there");
            assert_eq!(folder.run("graph app.yaml --out out.yaml").code, 0);
            let found = fs::metadata(folder.path("out.yaml")).expect("it is there");
            assert_eq!(found.mode() & 0o7777, mode, "{mode:o}");
            assert_eq!((found.uid(), found.gid()), (before.uid(), before.gid()));
        }
    }

    #[test]
    fn a_pipe_is_written_to() {
        let folder = Folder::new(&[("app.yaml", GOOD)]);
        let pipe = folder.path("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe)
        });
        let said = folder.run("merge app.yaml --out pipe");
        assert!(fs::symlink_metadata(&pipe).expect("it is there").file_type().is_fifo(), "it stays a pipe");
        assert_eq!((said.code, said.err.as_str()), (0, ""));
        assert_eq!(reader.join().expect("its end").ok().as_deref(), Some("meta:\n  name: shop\n"));
    }

    #[test]
    fn a_folder_is_not_replaced() {
        let folder = Folder::new(&[("app.yaml", GOOD), ("conf/x.yaml", "")]);
        symlink("conf", folder.path("link")).expect("a link");
        folder.check(
            "merge app.yaml --out link",
            &expect![[r#"
                --- standard error
                error[host/unwritable]: cannot write `link`: it is a directory
                 ╭▸ link
                 ╰ help: name a file in a folder that you may write to; nothing was written

                1 error
                --- exit code 1
            "#]],
        );
    }
}
