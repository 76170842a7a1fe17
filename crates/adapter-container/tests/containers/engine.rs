//! A Podman for the tests.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
    time::{Duration, Instant},
};

/// A Podman that runs as long as this program does.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) folder: PathBuf,
    /// Podman's guardian: it ends Podman once this program, and so this pipe, is gone.
    _guardian: Child,
}

/// The image of the tests: busybox, and nothing else.
pub(crate) const IMAGE: &str = "localhost/planloom-test:1";

/// The same, with a health check.
pub(crate) const HEALTHY: &str = "localhost/planloom-test-health:1";

/// The engine; `None` where there is none, which is said once for each test.
pub(crate) fn engine(test: &str) -> Option<&'static Engine> {
    static ENGINE: OnceLock<Result<Engine, String>> = OnceLock::new();
    match ENGINE.get_or_init(Engine::start) {
        Ok(engine) => Some(engine),
        Err(why) => {
            // Around the capture of tests that pass: nobody is to take this for a success.
            _ = writeln!(std::io::stderr(), "skipped: {test}: {why}");
            None
        }
    }
}

impl Engine {
    fn start() -> Result<Self, String> {
        for (program, package) in [("podman", "podman"), ("runc", "runc"), ("busybox", "busybox-static")] {
            let found =
                ["/usr/bin", "/usr/sbin", "/bin", "/usr/local/bin"].map(|it| Path::new(it).join(program));
            if !found.iter().any(|it| it.exists()) {
                return Err(format!("{program} is not installed (Debian: {package}; or cargo xtask setup)"));
            }
        }
        let folder = std::env::temp_dir().join(format!("planloom-container-{}", std::process::id()));
        let engine = Self::serve(&folder).inspect_err(|_| _ = fs::remove_dir_all(&folder))?;
        engine.image(IMAGE, "FROM scratch\nCOPY busybox /bin/busybox\nENV PATH=/bin\n")?;
        engine.image(
            HEALTHY,
            &format!("FROM {IMAGE}\nHEALTHCHECK CMD [\"/bin/busybox\", \"test\", \"-e\", \"/healthy\"]\n"),
        )?;
        engine.try_out()?;
        Ok(engine)
    }

    fn serve(folder: &Path) -> Result<Self, String> {
        let io = |error: std::io::Error| format!("cannot set up a Podman: {error}");
        let path = |name: &str| folder.join(name).display().to_string();
        fs::create_dir_all(folder).map_err(io)?;
        let containers = format!(
            "[engine]\nruntime = \"runc\"\ncgroup_manager = \"cgroupfs\"\nevents_logger = \"file\"\n\
             tmp_dir = {:?}\nlock_type = \"file\"\nexit_command_delay = 10\n\
             [containers]\ndefault_ulimits = [\"nofile=1024:1024\", \"nproc=1024:1024\"]\n\
             [network]\nnetwork_backend = \"netavark\"\nnetwork_config_dir = {:?}\n\
             default_subnet = \"10.254.0.0/24\"\n",
            path("tmp"),
            path("networks"),
        );
        fs::write(folder.join("containers.conf"), containers).map_err(io)?;
        let storage = format!(
            "[storage]\ndriver = \"vfs\"\ngraphroot = {:?}\nrunroot = {:?}\n",
            path("root"),
            path("run"),
        );
        fs::write(folder.join("storage.conf"), storage).map_err(io)?;
        // The guardian lives in a group of its own, so that a signal to the tests does not end it too early.
        let script =
            "podman system service --time=0 \"unix://$1/podman.sock\" >\"$1/log\" 2>&1 </dev/null & pid=$!
            cat >/dev/null
            podman rm --all --force --time 0 >/dev/null 2>&1
            kill $pid; wait $pid
            sleep 12 # Until then Podman still tidies up after commands, and would make the folder anew.
            rm -rf \"$1\"";
        let mut command = Command::new("/bin/sh");
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.args(["-c", script, "sh", &folder.display().to_string()]).envs(environment(folder));
        let guardian =
            command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(io)?;
        let engine = Self { folder: folder.to_owned(), _guardian: guardian };
        let begun = Instant::now();
        while !engine.socket().exists() {
            if begun.elapsed() > Duration::from_secs(20) {
                return Err(format!("Podman does not start: {}", engine.log()));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(engine)
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.join("podman.sock")
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    /// What Podman says to these words.
    pub(crate) fn podman(&self, words: &[&str]) -> Result<String, String> {
        let output = Command::new("podman").args(words).envs(environment(&self.folder)).output();
        let output = output.map_err(|error| error.to_string())?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }

    fn image(&self, name: &str, file: &str) -> Result<(), String> {
        let folder = self.folder.join("image");
        let io = |error: std::io::Error| error.to_string();
        fs::create_dir_all(&folder).map_err(io)?;
        fs::copy("/bin/busybox", folder.join("busybox")).map_err(io)?;
        fs::write(folder.join("Containerfile"), file).map_err(io)?;
        let folder = folder.display().to_string();
        self.podman(&["build", "--format", "docker", "--tag", name, &folder]).map(drop)
    }

    /// Where a machine lets no container run, the tests cannot either.
    fn try_out(&self) -> Result<(), String> {
        let words = ["run", "--rm", "--publish", "127.0.0.1::80", IMAGE, "/bin/busybox", "true"];
        self.podman(&words).map(drop).map_err(|why| format!("Podman runs no containers here: {why}"))
    }
}

fn environment(folder: &Path) -> [(&'static str, PathBuf); 2] {
    [
        ("CONTAINERS_CONF", folder.join("containers.conf")),
        ("CONTAINERS_STORAGE_CONF", folder.join("storage.conf")),
    ]
}
