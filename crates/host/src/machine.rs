/// The name of this machine, if it is easy to determine.
pub fn machine() -> Option<String> {
    let kernel = || std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let environment = || std::env::var("HOSTNAME").ok();
    let name = |text: String| Some(text.trim().to_owned()).filter(|it| !it.is_empty());
    kernel().and_then(name).or_else(|| environment().and_then(name))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_name_is_one_word_or_none() {
        if let Some(name) = super::machine() {
            assert!(!name.is_empty() && name.trim() == name, "{name:?}");
        }
    }
}
