//! Names of files in a folder, as clients may choose them.

/// The endings of the names of descriptors.
const ENDINGS: [&str; 2] = [".yaml", ".yml"];
/// The one file that is served beside descriptors: which versions were chosen.
const LOCK: &str = "planloom.lock";
/// The longest name that file systems allow, in bytes.
const LONGEST: usize = 255;

/// True if a name in a folder is that of a file that is served.
pub(super) fn is_served(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    !name.starts_with('.') && (name == LOCK || ENDINGS.iter().any(|it| lower.ends_with(it)))
}

/// True if a client may give a file that name.
pub(super) fn is_valid(name: &str) -> bool {
    let is_harmless = |c: char| !matches!(c, '/' | '\\' | ':') && !c.is_control();
    is_served(name) && name.len() <= LONGEST && name.chars().all(is_harmless)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_visible_descriptors_of_the_folder_itself_have_valid_names() {
        for name in ["app.yaml", "a b.yml", "ü.YAML", "planloom.lock", "..yaml.yaml".trim_start_matches("..")]
        {
            assert!(is_valid(name), "{name}");
        }
        let long = format!("{}.yaml", "x".repeat(251));
        for name in [
            "",
            ".yaml",
            ".hidden.yaml",
            "../a.yaml",
            "a/b.yaml",
            "a\\b.yaml",
            "c:a.yaml",
            "a\n.yaml",
            "a\0.yaml",
            "run.sh",
            "other.lock",
            &long,
        ] {
            assert!(!is_valid(name), "{name}");
        }
    }
}
