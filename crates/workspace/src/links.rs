//! Who provides what for whom, as views.

mod map;

use ::links::Profile;

pub(crate) use map::map;

use crate::{File, view::LinksView};

/// The links of what is described. `releases`: job specs beside those among the files.
pub(crate) fn view(_releases: &[File], profile: Profile) -> LinksView {
    LinksView { format: "planloom.links/1".into(), profile: profile.as_str().into(), ..LinksView::default() }
}
