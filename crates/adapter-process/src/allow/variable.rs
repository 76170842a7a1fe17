//! The environment variables that a descriptor may set.
//!
//! Variables can select the code that a program runs: `BASH_ENV` names a script, `PYTHONPATH` a folder with
//! modules, and there are others that depend on the program. A list of dangerous variables is therefore never
//! complete. Instead there is a list of permitted ones: the [locale](is_locale) and the time zone, with
//! values that cannot name a file, and those that the operator names. [`RESERVED`] and [`FAMILIES`] are a
//! second line of defence: variables that shells, loaders, language runtimes and the usual tools read as code
//! are refused even if a prefix that the operator named would cover them.

use adapter_native::NotAllowed;

/// The names that the operator permits: one name, or all with a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Pattern {
    Name(String),
    Prefix(String),
}

/// The environment variables that the operator permits.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables(Vec<Pattern>);

/// Variables that select the code that is run, or the location of configuration that does.
const RESERVED: [&str; 123] = [
    "PATH",
    "HOME",
    "SHELL",
    "ENV",
    "IFS",
    "CDPATH",
    "FPATH",
    "ZDOTDIR",
    "PS0",
    "PS1",
    "PS2",
    "PS3",
    "PS4",
    "PROMPT_COMMAND",
    "SHELLOPTS",
    "BASHOPTS",
    "EXECIGNORE",
    "GLOBIGNORE",
    "TMPDIR",
    "TMP",
    "TEMP",
    "GCONV_PATH",
    "GETCONF_DIR",
    "GLIBC_TUNABLES",
    "LOCPATH",
    "NLSPATH",
    "HOSTALIASES",
    "LIBPATH",
    "SHLIB_PATH",
    "EDITOR",
    "VISUAL",
    "FCEDIT",
    "PAGER",
    "MANPAGER",
    "BROWSER",
    "LESSOPEN",
    "LESSCLOSE",
    "SUDO_ASKPASS",
    "SSH_ASKPASS",
    "CLASSPATH",
    "JAVA_HOME",
    "JAVA_OPTS",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "MAVEN_OPTS",
    "GRADLE_OPTS",
    "CATALINA_OPTS",
    "TCLLIBPATH",
    "OCAMLRUNPARAM",
    "CAMLRUNPARAM",
    "CAML_LD_LIBRARY_PATH",
    "AWKPATH",
    "AWKLIBPATH",
    "MAKEFLAGS",
    "MAKEFILES",
    "VIMINIT",
    "EXINIT",
    "TERMINFO",
    "TERMINFO_DIRS",
    "CURL_HOME",
    "GNUPGHOME",
    "TAR_OPTIONS",
    "COMPILER_PATH",
    "AWS_CONFIG_FILE",
    "AWS_SHARED_CREDENTIALS_FILE",
    "KUBECONFIG",
    "GRADLE_USER_HOME",
    "TCL_LIBRARY",
    "PSQLRC",
    "PSQL_EDITOR",
    "PSQL_PAGER",
    "RSYNC_RSH",
    "RSYNC_CONNECT_PROG",
    "SVN_SSH",
    "SVN_EDITOR",
    "CVS_RSH",
    "HGRCPATH",
    "HGRCSKIPREPO",
    "HGEDITOR",
    "HGMERGE",
    "CC",
    "CXX",
    "CPP",
    "LD",
    "AR",
    "GOFLAGS",
    "GOROOT",
    "GOPATH",
    "GOENV",
    "MAVEN_ARGS",
    "CATALINA_HOME",
    "CATALINA_BASE",
    "JAVA_OPTIONS",
    "IBM_JAVA_OPTIONS",
    "OPENJ9_JAVA_OPTIONS",
    "ANT_OPTS",
    "ANT_ARGS",
    "ANT_HOME",
    "LESS",
    "LESSKEY",
    "LESSKEYIN",
    "WGETRC",
    "ZIPOPT",
    "UNZIPOPT",
    "UNZIP",
    "RIPGREP_CONFIG_PATH",
    "VIM",
    "VIMRUNTIME",
    "MANROFFOPT",
    "MAILCAPS",
    "RUSTC",
    "RUSTDOC",
    "RUSTFLAGS",
    "SCREENRC",
    "TMUX",
    "INPUTRC",
    "SBT_OPTS",
    "KOTLIN_HOME",
    "SCALA_HOME",
    "GROOVY_HOME",
    "TEXINPUTS",
    "TEXMFCNF",
    "NETRC",
];

/// The prefixes of further such variables.
const FAMILIES: [&str; 59] = [
    "LD_",
    "DYLD_",
    "_RLD",
    "MUSL_",
    "MALLOC_",
    "BASH_",
    "XDG_",
    "PYTHON",
    "PERL",
    "RUBY",
    "GEM_",
    "BUNDLE_",
    "NODE_",
    "NPM_",
    "DENO_",
    "BUN_",
    "JDK_",
    "LUA_",
    "LUAJIT",
    "PHP",
    "COMPOSER_",
    "GIT_",
    "GUILE_",
    "ERL_",
    "ELIXIR_",
    "DOTNET_",
    "CORECLR_",
    "COMPLUS_",
    "MONO_",
    "JULIA_",
    "R_",
    "OPENSSL_",
    "SASL_",
    "KRB5_",
    "GTK_",
    "QT_",
    "GST_",
    "GIO_",
    "CARGO_",
    "RUSTC_",
    "SYSTEMD_",
    "DBUS_",
    "GCC_",
    "ANSIBLE_",
    "TF_CLI_",
    "RUSTUP_",
    "GNUPG",
    "EMACS",
    "HELM_",
    "DOCKER_",
    "GDK_",
    "LIBGL_",
    "VK_",
    "OCL_",
    "SDL_",
    "ALSA_",
    "LADSPA_",
    "LV2_",
    "LIBMYSQL_",
];

/// Variables of these families that are only data; they still have to be permitted by their full name.
const DATA: [&str; 6] = [
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONHASHSEED",
    "PYTHONUTF8",
    "NODE_ENV",
    "GIT_TERMINAL_PROMPT",
];

impl Variables {
    /// Also permits a name, or a prefix that ends in `_` followed by `*`.
    pub(super) fn permit(&mut self, pattern: &str) -> Result<(), NotAllowed> {
        let refuse = |why: &str| Err(NotAllowed::new(pattern, why));
        let (name, is_prefix) = match pattern.strip_suffix('*') {
            Some(prefix) => (prefix, true),
            None => (pattern, false),
        };
        if !is_name(name) || is_prefix && !name.ends_with('_') {
            return refuse("it is neither the name of a variable nor a prefix such as `APP_*`");
        }
        if is_prefix && is_family(name) || !is_prefix && selects_code(name) {
            return refuse(
                "variables like that decide which code a program runs; write a script that sets it, and allow the script",
            );
        }
        self.0.push(if is_prefix { Pattern::Prefix(name.into()) } else { Pattern::Name(name.into()) });
        Ok(())
    }

    /// The reason why a descriptor may not set this variable, for people; `None` if it may. A value that is
    /// not known yet is checked later.
    pub(super) fn refusal(&self, name: &str, value: Option<&str>) -> Option<String> {
        if !is_name(name) || selects_code(name) {
            let why = "it can decide which code a program runs, so no descriptor may set it";
            return Some(format!("the environment variable `{name}` is refused: {why}"));
        }
        if value.is_some_and(|it| it.starts_with("() {")) {
            return Some(format!("the value of `{name}` is refused: old shells run it as a function"));
        }
        if is_locale(name) {
            let is_plain = value.is_none_or(|it| names_no_file(name, it));
            return (!is_plain).then(|| format!("the value of `{name}` is refused: it names a file"));
        }
        let is_permitted = |it: &Pattern| match it {
            Pattern::Name(permitted) => permitted == name,
            Pattern::Prefix(prefix) => name.starts_with(&**prefix),
        };
        let why =
            || format!("the environment variable `{name}` is not on the allow list (`--allow-env {name}`)");
        (!self.0.iter().any(is_permitted)).then(why)
    }
}

/// Letters, digits and `_`: other names, such as `BASH_FUNC_ls%%`, are only read by shells.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn selects_code(name: &str) -> bool {
    RESERVED.contains(&name) || (is_family(name) && !DATA.contains(&name))
}

/// Some programs also read the names of their variables in lower case.
fn is_family(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    FAMILIES.iter().any(|family| name.starts_with(family))
}

/// The variables that every descriptor may set.
fn is_locale(name: &str) -> bool {
    matches!(name, "LANG" | "LANGUAGE" | "TZ") || name.starts_with("LC_")
}

/// `TZ` may name a zone such as `Europe/Berlin`, but no file by its path.
fn names_no_file(name: &str, value: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-+.,@:<>".contains(&byte);
    let is_zone = |byte: u8| name == "TZ" && byte == b'/';
    value.bytes().all(|byte| is_plain(byte) || is_zone(byte))
        && !value.starts_with([':', '/', '.'])
        && !value.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permitted(patterns: &[&str]) -> Variables {
        let mut variables = Variables::default();
        patterns.iter().for_each(|it| variables.permit(it).unwrap());
        variables
    }

    #[test]
    fn only_what_is_on_the_list_may_be_set() {
        let variables = permitted(&["GREETING", "SHOP_*", "PYTHONUNBUFFERED"]);
        let may = |name: &str, value: &str| variables.refusal(name, Some(value)).is_none();
        for (name, value) in [
            ("GREETING", "hello"),
            ("SHOP_", ""),
            ("SHOP_URL", "http://a/b?c"),
            ("PYTHONUNBUFFERED", "1"),
            ("LANG", "de_DE.UTF-8@euro"),
            ("LC_ALL", "C"),
            ("LANGUAGE", "de:en"),
            ("TZ", "Europe/Berlin"),
            ("TZ", "<+03>-3"),
        ] {
            assert!(may(name, value), "{name}={value}");
        }
        for (name, value) in [
            ("GREETINGS", "hello"),
            ("SHOP", ""),
            ("greeting", ""),
            ("SHOP_%%", ""),
            ("SHOP_URL", "() { :; }; id"),
            ("PYTHONPATH", "/tmp"),
            ("LANG", "../../tmp/evil"),
            ("LC_ALL", "/tmp/evil"),
            ("TZ", "/tmp/evil"),
            ("TZ", ":/tmp/evil"),
            ("TZ", "Europe/../../tmp"),
        ] {
            assert!(!may(name, value), "{name}={value}");
        }
        assert!(variables.refusal("LANG", None).is_none() && variables.refusal("PATH", None).is_some());
    }

    #[test]
    fn variables_that_load_code_are_always_refused() {
        let variables = permitted(&["SSH_*", "SUDO_*", "JAVA_*", "TERM_*", "TAR_*", "AWS_*", "GRADLE_*"]);
        for name in [
            "TAR_OPTIONS",
            "AWS_CONFIG_FILE",
            "GRADLE_USER_HOME",
            "GCC_EXEC_PREFIX",
            "COMPILER_PATH",
            "KUBECONFIG",
            "RSYNC_RSH",
            "ANSIBLE_CONFIG",
            "LESS",
            "SSH_ASKPASS",
            "SUDO_ASKPASS",
            "JAVA_TOOL_OPTIONS",
            "JAVA_HOME",
            "BASH_ENV",
            "ENV",
            "IFS",
            "PATH",
            "LD_PRELOAD",
            "LD_AUDIT",
            "DYLD_INSERT_LIBRARIES",
            "BASH_FUNC_ls%%",
            "PYTHONWARNINGS",
            "PERL5OPT",
            "RUBYOPT",
            "NODE_OPTIONS",
            "_JAVA_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "CLASSPATH",
            "GIT_SSH_COMMAND",
            "LUA_INIT",
            "PHP_INI_SCAN_DIR",
            "PHPRC",
            "GCONV_PATH",
            "MALLOC_CONF",
            "GLIBC_TUNABLES",
            "npm_config_node_options",
            "HOME",
            "XDG_CONFIG_HOME",
            "TMPDIR",
            "EDITOR",
            "PAGER",
            "BROWSER",
            "PS4",
            "PROMPT_COMMAND",
            "SHELLOPTS",
        ] {
            assert!(variables.refusal(name, Some("x")).is_some(), "{name}");
        }
    }

    #[test]
    fn a_permission_is_a_name_or_the_prefix_of_an_application() {
        let mut variables = Variables::default();
        for pattern in [
            "",
            "*",
            "SHOP*",
            "_",
            "A=B",
            "BASH_FUNC_ls%%",
            "PATH",
            "LD_*",
            "LD_PRELOAD",
            "PYTHON_*",
            "bash_*",
            "1A",
        ] {
            let is_refused = variables.permit(pattern).is_err();
            assert_eq!(is_refused, pattern != "_", "{pattern}");
        }
    }
}
