use super::Variable;

/// Replaces `$(NAME)` by the variable's value; an unknown name is left unchanged, `$$(NAME)` becomes
/// `$(NAME)`.
pub fn expand(text: &str, variables: &[Variable]) -> String {
    let (mut done, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find("$(") {
        let (before, after) = (&rest[..at], &rest[at + 2..]);
        let Some((name, behind)) = after.split_once(')') else { break };
        match before.strip_suffix('$') {
            Some(before) => done.extend([before, "$(", name, ")"]),
            None => match variables.iter().rfind(|it| it.name == name) {
                Some(variable) => done.extend([before, &variable.value]),
                None => done.extend([before, "$(", name, ")"]),
            },
        }
        rest = behind;
    }
    done + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_values() {
        let variables = [("IP", "127.64.0.2"), ("A", "$(IP)")];
        let variables = variables.map(|(name, value)| Variable { name: name.into(), value: value.into() });
        for (text, expected) in [
            ("", ""),
            ("plain $HOME", "plain $HOME"),
            ("--bind=$(IP):80", "--bind=127.64.0.2:80"),
            ("$(IP)$(IP)", "127.64.0.2127.64.0.2"),
            ("$(A)", "$(IP)"),
            ("$(NOBODY)", "$(NOBODY)"),
            ("$$(IP)", "$(IP)"),
            ("$(IP", "$(IP"),
            ("a$(", "a$("),
            ("é$(IP)é", "é127.64.0.2é"),
        ] {
            assert_eq!(expand(text, &variables), expected, "{text}");
        }
    }
}
