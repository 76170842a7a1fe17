use model::Data;

use crate::{Problem, runtime_value::RuntimeValue, tree::Node};

use super::{Machine, Result, kind, method::CallArguments, method::no_method, operators::too_big};

impl<'a> Machine<'a> {
    /// The methods of text.
    pub(super) fn of_text(
        &mut self,
        on: &RuntimeValue<'a>,
        text: &str,
        name: &str,
        call: CallArguments<'_>,
    ) -> Result<RuntimeValue<'a>> {
        self.work(text.len() / 16, call.at)?;
        let data = match name {
            "size" | "length" => count(text.chars().count()),
            "empty?" => Data::Bool(text.is_empty()),
            "upcase" => Data::String(text.to_uppercase().into()),
            "downcase" => Data::String(text.to_lowercase().into()),
            "strip" => Data::String(text.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\0').into()),
            "chomp" => Data::String(chomp(text).into()),
            "to_sym" => Data::String(text.into()),
            "to_i" => Data::Int(leading_number(text).ok_or_else(|| too_big(call.at))?),
            "include?" => Data::Bool(text.contains(&self.argument(call.args)?)),
            "start_with?" => Data::Bool(text.starts_with(&self.argument(call.args)?)),
            "end_with?" => Data::Bool(text.ends_with(&self.argument(call.args)?)),
            "split" => return self.split(on, text, call),
            _ => return Err(no_method(on, name, call.at)),
        };
        Ok(self.value(data).tainted(on.sensitive))
    }

    fn split(
        &mut self,
        on: &RuntimeValue<'a>,
        text: &str,
        call: CallArguments<'_>,
    ) -> Result<RuntimeValue<'a>> {
        let by = if call.args.is_empty() { " ".to_owned() } else { self.argument(call.args)? };
        let mut parts: Vec<&str> = match by.as_str() {
            " " => text.split_ascii_whitespace().collect(),
            "" => text.split("").skip(1).collect(),
            by => text.split(by).collect(),
        };
        while parts.last().is_some_and(|part| part.is_empty()) {
            parts.pop();
        }
        let parts = parts.into_iter().map(|part| self.value(Data::String(part.into()))).collect();
        Ok(self.list(parts, call.at)?.tainted(on.sensitive))
    }

    /// The text in the first argument.
    fn argument(&mut self, args: &[Node]) -> Result<String> {
        let Some(node) = args.first() else { return Ok(String::new()) };
        let value = self.evaluate(node)?;
        value.decide(node.at)?;
        match value.value().as_str() {
            Some(text) => Ok(text.to_owned()),
            None if value.is_unknown() => Err(Problem::unknown(node.at, "this text")),
            None => Err(Problem::mismatch(node.at, format!("expected text here, found {}", kind(&value)))),
        }
    }
}

pub(super) fn count(count: usize) -> Data {
    Data::Int(i64::try_from(count).unwrap_or(i64::MAX))
}

fn chomp(text: &str) -> &str {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\n', '\r'])).unwrap_or(text)
}

/// The number at the start of a text, or 0; `None` if it is too large.
fn leading_number(text: &str) -> Option<i64> {
    let text = text.trim_start();
    let sign = usize::from(text.starts_with(['-', '+']));
    let digits = text[sign..].find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len() - sign);
    if digits == 0 { Some(0) } else { text[..sign + digits].parse().ok() }
}
