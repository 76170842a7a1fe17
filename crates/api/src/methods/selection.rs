//! Which fields of a resource a client sees: its view and its field mask together.

use fields::{FieldMask, View};
use serde_json::Value;

use super::Call;
use crate::{Problem, Violation};

/// The fields that a request selects; all of them by default.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection(Option<FieldMask>);

impl Selection {
    /// What `view` and `fieldMask` say.
    pub(crate) fn of(call: &mut Call<'_>) -> Result<Self, Problem> {
        let view = call.parameters.text("view")?;
        let view =
            view.map(|it| View::named(&it).ok_or(it)).transpose().map_err(|text| unknown_view(&text))?;
        let mask = call.parameters.mask("fieldMask")?;
        if let (Some(mask), Some(message)) = (&mask, call.served.message()) {
            let typed = mask.typed(message);
            typed.map_err(|error| Problem::parameter(Violation::of_text("fieldMask", &error)))?;
        }
        let Some(message) = call.served.message() else { return Ok(Self(without_type(view, mask))) };
        if view.is_none() && mask.is_none() {
            return Ok(Self::default());
        }
        let selected = call.served.views().select(view, mask.as_ref(), message);
        Ok(Self((!selected.is_full()).then_some(selected)))
    }

    /// The selected fields of a resource.
    pub(crate) fn show(&self, resource: &Value) -> Value {
        self.0.as_ref().map_or_else(|| resource.clone(), |it| it.project(resource))
    }
}

/// Without knowledge of fields, views are all fields but for the names.
fn without_type(view: Option<View>, mask: Option<FieldMask>) -> Option<FieldMask> {
    match (view, mask) {
        (None, mask) => mask,
        (Some(View::Name), mask) => {
            let name = FieldMask::parse("name,display_name").ok()?;
            Some(mask.map_or_else(|| name.clone(), |it| name.union(&it)))
        }
        (Some(_), _) => None,
    }
}

fn unknown_view(text: &str) -> Problem {
    let names: Vec<&str> = View::ALL.into_iter().map(View::as_str).collect();
    let violation = Violation::new("view", "api/view", format!("`{text}` is not a view"));
    Problem::parameter(violation.help(format!("send one of {}", names.join(", "))))
}
