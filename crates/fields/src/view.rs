use std::collections::BTreeMap;

use crate::{FieldMask, FieldPath, MessageType};

/// The part of a resource that a response has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum View {
    /// The name, and the display name if the resource has one.
    Name,
    /// The fields that lists show.
    Basic,
    /// The fields that the page of a resource shows.
    Detail,
    /// Everything.
    Full,
}

impl View {
    /// All of them, the smallest first.
    pub const ALL: [Self; 4] = [Self::Name, Self::Basic, Self::Detail, Self::Full];

    /// Its name in requests: `BASIC`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Name => "NAME",
            Self::Basic => "BASIC",
            Self::Detail => "DETAIL",
            Self::Full => "FULL",
        }
    }

    /// The view of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == name)
    }
}

/// The views that a kind of resources defines (`goten.annotations.resource`, `views`). Each of the four can be defined,
/// `NAME` and `FULL` too; a definition replaces the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Views {
    /// The fields of each view that is defined.
    pub defined: BTreeMap<View, FieldMask>,
}

impl Views {
    /// The fields of a view. `BASIC` and `DETAIL` that are not defined are everything.
    pub fn mask(&self, view: View, of: MessageType<'_>) -> FieldMask {
        match (self.defined.get(&view), view) {
            (Some(mask), _) => mask.clone(),
            (None, View::Name) => name_mask(of),
            (None, View::Basic | View::Detail | View::Full) => FieldMask::full(),
        }
    }

    /// The fields that a response has: those of the view and those of the mask. Without both it has everything.
    pub fn select(&self, view: Option<View>, mask: Option<&FieldMask>, of: MessageType<'_>) -> FieldMask {
        let view = view.map(|it| self.mask(it, of));
        match (view, mask) {
            (Some(view), Some(mask)) => view.union(mask),
            (Some(view), None) => view,
            (None, Some(mask)) => mask.clone(),
            (None, None) => FieldMask::full(),
        }
    }
}

fn name_mask(of: MessageType<'_>) -> FieldMask {
    let names = ["name", "display_name"].into_iter();
    let defined = names.filter(|it| *it == "name" || of.field(it).is_some());
    FieldMask::new(defined.map(|it| FieldPath::of_names([it]))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::service;

    #[test]
    fn views_are_joined_with_the_mask() {
        let schema = service();
        let [pod, container] = ["Pod", "Container"].map(|it| MessageType::new(&schema, it).unwrap());
        let mask = |text: &str| FieldMask::parse(text).unwrap();
        let basic = Views { defined: [(View::Basic, mask("name,outer.nested"))].into() };
        let all = Views { defined: View::ALL.map(|it| (it, mask(&it.as_str().to_lowercase()))).into() };
        let none = Views::default();
        for (views, view, fields, of, expected) in [
            (&none, Some(View::Name), None, pod, "display_name,name"),
            (&none, Some(View::Name), None, container, "name"),
            (&none, Some(View::Basic), None, pod, "*"),
            (&none, Some(View::Detail), Some("name"), pod, "*"),
            (&none, Some(View::Full), None, pod, "*"),
            (&none, None, None, pod, "*"),
            (&none, None, Some("size"), pod, "size"),
            (&none, Some(View::Name), Some("spec.node_name"), pod, "display_name,name,spec.node_name"),
            (&basic, Some(View::Basic), None, pod, "name,outer.nested"),
            (&basic, Some(View::Basic), Some("outer,size"), pod, "name,outer,size"),
            (&basic, Some(View::Basic), Some("*"), pod, "*"),
            (&basic, Some(View::Detail), None, pod, "*"),
            (&basic, Some(View::Name), None, pod, "display_name,name"),
            (&all, Some(View::Name), None, pod, "name"),
            (&all, Some(View::Full), None, pod, "full"),
        ] {
            let fields = fields.map(mask);
            assert_eq!(views.select(view, fields.as_ref(), of).to_string(), expected, "{view:?} {fields:?}");
        }
        assert!(
            View::ALL.iter().all(|it| View::named(it.as_str()) == Some(*it)) && View::named("name").is_none()
        );
    }
}
