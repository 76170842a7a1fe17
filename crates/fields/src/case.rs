//! Names of fields in `snake_case` and `lowerCamelCase`.

use crate::schema::lower_camel;

/// A name in `lowerCamelCase` as the field has it: each upper-case letter becomes `_` and the letter in lower case.
pub(crate) fn snake(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

/// The field's name for a key of an object, if the key is that field's name in JSON; otherwise the key.
pub(crate) fn field_name(key: &str) -> String {
    let snake = snake(key);
    if key.starts_with(|it: char| it.is_ascii_lowercase()) && lower_camel(&snake) == key {
        snake
    } else {
        key.to_owned()
    }
}

/// True if JSON has the name in a form from which it can be read back.
pub(crate) fn has_json_form(name: &str) -> bool {
    snake(&lower_camel(name)) == name
}
