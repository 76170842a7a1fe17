//! Names in the cases that protobuf and HTTP have.

/// `ReaderAgents` as `readerAgents`, `DNS` as `dns`, `rotate_secret` as `rotateSecret`.
pub fn lower_camel(name: &str) -> String {
    let camel = fields::schema::lower_camel(name);
    let upper = camel.chars().take_while(char::is_ascii_uppercase).count();
    let lower = match upper {
        0 => return camel,
        // A run of capitals ends where the next word begins: `HTTPRoute` is `httpRoute`.
        many if many > 1 && camel.chars().nth(many).is_some_and(|it| it.is_ascii_lowercase()) => many - 1,
        many => many,
    };
    camel.chars().enumerate().map(|(at, it)| if at < lower { it.to_ascii_lowercase() } else { it }).collect()
}

/// `ReaderAgent` as `reader_agent`.
pub fn snake(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    let characters: Vec<char> = name.chars().collect();
    for (at, character) in characters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|it| characters.get(it));
        let after = characters.get(at + 1);
        let begins = character.is_ascii_uppercase()
            && before.is_some_and(|it| {
                it.is_ascii_lowercase()
                    || it.is_ascii_digit()
                    || (it.is_ascii_uppercase() && after.is_some_and(char::is_ascii_lowercase))
            });
        if begins {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_those_of_protobuf() {
        let rows = [
            ("ReaderAgent", "readerAgent", "reader_agent"),
            ("Secret", "secret", "secret"),
            ("SimCardStock", "simCardStock", "sim_card_stock"),
            ("HTTPRoute", "httpRoute", "http_route"),
            ("DNS", "dns", "dns"),
            ("V1Node", "v1Node", "v1_node"),
        ];
        for (name, camel, snaked) in rows {
            assert_eq!((lower_camel(name).as_str(), snake(name).as_str()), (camel, snaked), "{name}");
        }
        assert_eq!(lower_camel("provision_service_account"), "provisionServiceAccount");
    }
}
