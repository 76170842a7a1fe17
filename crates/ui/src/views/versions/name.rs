//! The names of selected versions.

use workspace::view::SelectedView;

/// The package of a selected version, or the name of a variable.
pub(super) fn of(it: &SelectedView) -> &str {
    if it.package.is_empty() { &it.id } else { &it.package }
}

/// `queue 2.1.0` of `main:queue:2.1.0:stable`; a variable's name as it is.
pub(crate) fn of_id(id: &str) -> String {
    match id.split(':').collect::<Vec<_>>().as_slice() {
        [_, package, version, _] => format!("{package} {version}"),
        _ => id.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::of_id;

    #[test]
    fn ids_of_bundles_are_shortened() {
        assert_eq!(of_id("main:queue:2.1.0+3:stable"), "queue 2.1.0+3");
        assert_eq!(of_id("main:queue:2.1.0:"), "queue 2.1.0");
        assert_eq!(of_id("required package queue"), "required package queue");
    }
}
