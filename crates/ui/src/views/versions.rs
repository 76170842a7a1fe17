//! The Versions pane: the requirements, the selection, the reasons for it, and the upgrades between versions.

mod bar;
mod changes;
mod conflicts;
mod fact;
#[cfg(test)]
mod fixture;
mod left_out;
pub(crate) mod name;
mod packages;
mod requirements;
mod resolution;
mod selection;
mod show;
mod upgrades;
mod what_if;
mod why;

use std::rc::Rc;

use workspace::view::{
    FixView, LocationView, MoveView, Outcome, RequirementView, ResolutionView, UpgradesView,
};
use yew::prelude::*;

use self::{
    bar::{Bar, Mode},
    packages::Packages,
    resolution::Resolution,
    show::Show,
    upgrades::Upgrades,
};
use super::{
    place::stale_strip,
    same::{use_same, use_stable},
};
use crate::text::FileText;
use crate::{IconName, LayerBadge};

/// A question that only the engine can answer.
#[derive(Clone, Debug, PartialEq)]
pub enum VersionsQuestion {
    /// The selection that would result if requirements asked for other versions.
    If {
        /// The name of each requirement, and the version range it would ask for.
        ranges: Vec<(String, String)>,
        /// Called with the answer.
        then: Callback<Rc<ResolutionView>>,
    },
    /// The changes that are needed for a bundle to be chosen.
    Move {
        /// The bundle's id.
        id: String,
        /// Called with the answer.
        then: Callback<Rc<MoveView>>,
    },
    /// The upgrades between the versions of a package.
    Upgrades {
        /// The package's name.
        package: String,
        /// Called with the answer; `None` where no catalog has it.
        then: Callback<Option<Rc<UpgradesView>>>,
    },
}

/// A user's action in the Versions pane.
#[derive(Clone, Debug, PartialEq)]
pub enum VersionsEvent {
    /// Writes the version ranges that requirements ask for.
    Write(Vec<(RequirementView, String)>),
    /// Applies edits.
    Fix(FixView),
    /// Writes the selection into the lock file.
    Lock,
    /// Opens the example.
    Example,
}

/// Properties of [`VersionsPane`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct VersionsPaneProps {
    /// The requirements and the selection.
    pub resolution: Rc<ResolutionView>,
    /// The files, for their badges.
    pub layers: Rc<Vec<LayerBadge>>,
    /// The texts, for the preview of edits.
    #[prop_or_default]
    pub files: Rc<Vec<FileText>>,
    /// The files cannot be read at the moment; this is the last resolution.
    #[prop_or_default]
    pub stale: bool,
    /// There is a lock file.
    #[prop_or_default]
    pub locked: bool,
    /// Called with the place that is clicked.
    pub on_goto: Callback<LocationView>,
    /// Called with a question that only the engine can answer.
    pub on_ask: Callback<VersionsQuestion>,
    /// Called with the user's action.
    pub on_event: Callback<VersionsEvent>,
}

/// The versions.
#[component]
pub fn VersionsPane(props: &VersionsPaneProps) -> Html {
    let mode = use_state_eq(Mode::default);
    let set_mode = {
        let mode = mode.setter();
        use_memo((), |()| Callback::from(move |now| mode.set(now)))
    };
    let show = Show {
        view: use_same(&props.resolution),
        layers: use_same(&props.layers),
        files: use_same(&props.files),
        on_goto: use_stable(&props.on_goto),
        on_ask: use_stable(&props.on_ask),
        on_event: use_stable(&props.on_event),
        on_mode: (*set_mode).clone(),
    };
    let body = if show.view.requirements.is_empty()
        && show.view.catalogs.is_empty()
        && show.view.outcome != Outcome::Refused
    {
        empty(&show)
    } else {
        html! {
            <>
                <Bar show={show.clone()} mode={(*mode).clone()} locked={props.locked} />
                { match (*mode).clone() {
                    Mode::Resolution => html! { <Resolution show={show.clone()} /> },
                    Mode::Packages => html! { <Packages show={show.clone()} /> },
                    Mode::Package(package) => html! {
                        <Upgrades key={package.to_string()} show={show.clone()} package={package.clone()} />
                    },
                } }
            </>
        }
    };
    html! {
        <section class="versions pane" aria-label="Versions">
            { stale_strip(props.stale) }
            { body }
        </section>
    }
}

fn empty(show: &Show) -> Html {
    html! {
        <div class="pane-empty">
            { IconName::Versions.html() }
            <p class="pane-empty-title">{ "No versions to choose yet" }</p>
            <p>{ super::prose::prose("Write `package: {name: …}` in a payload and drop a catalog: the \
             selected version and the reason are shown here.") }</p>
            <button type="button" class="pane-empty-button" onclick={show.does(VersionsEvent::Example)}>
                { "Open an example" }</button>
        </div>
    }
}
