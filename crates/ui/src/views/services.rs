//! The Services pane: the kinds of resources that services have, their dependences, the effects of deletions, and the
//! changes between versions.

mod bar;
mod changes;
mod deletion;
mod dependence;
mod findings;
#[cfg(test)]
mod fixture;
mod kind;
mod methods;
mod model;
mod outcome;
mod resources;
mod show;
mod tree;
mod tried;

use std::rc::Rc;

use workspace::view::{
    DeletionTrialView, LocationView, NamedResourceView, ServiceDiffView, ServiceOverviewView, TriedTextView,
};
use yew::prelude::*;

use self::{
    bar::{Bar, Mode},
    changes::Changes,
    deletion::Deletion,
    resources::Resources,
    show::Show,
};
use super::{
    place::stale_strip,
    same::{use_same, use_stable},
};
use crate::{IconName, LayerBadge};

/// A question that only the engine can answer.
#[derive(Clone, Debug, PartialEq)]
pub enum ServicesQuestion {
    /// The meaning of a text: a name or a request.
    Try {
        /// The text.
        text: String,
        /// Called with the answer.
        then: Callback<Rc<TriedTextView>>,
    },
    /// The effect of deleting an example resource.
    Delete {
        /// The examples as YAML; `None` for the fixtures of the workspace.
        resources: Option<String>,
        /// The resource to delete.
        delete: Option<NamedResourceView>,
        /// Called with the answer.
        then: Callback<Rc<DeletionTrialView>>,
    },
    /// The changes between two files.
    Compare {
        /// The file with the old version.
        old: String,
        /// The file with the new version.
        new: String,
        /// Called with the answer.
        then: Callback<Rc<ServiceDiffView>>,
    },
}

/// A user's action in the Services pane.
#[derive(Clone, Debug, PartialEq)]
pub enum ServicesEvent {
    /// Writes other example resources; `None` for those that follow from the specification.
    Draft(Option<String>),
    /// Opens the example.
    Example,
}

/// Properties of [`ServicesPane`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct ServicesPaneProps {
    /// The services.
    pub overview: Rc<ServiceOverviewView>,
    /// The files, for their badges.
    pub layers: Rc<Vec<LayerBadge>>,
    /// The files cannot be read at the moment; this is the last answer.
    #[prop_or_default]
    pub stale: bool,
    /// The example resources, if the user wrote some.
    #[prop_or_default]
    pub draft: Option<AttrValue>,
    /// Called with the place that is clicked.
    pub on_goto: Callback<LocationView>,
    /// Called with a question that only the engine can answer.
    pub on_ask: Callback<ServicesQuestion>,
    /// Called with the user's action.
    pub on_event: Callback<ServicesEvent>,
}

/// The services.
#[component]
pub fn ServicesPane(props: &ServicesPaneProps) -> Html {
    let mode = use_state_eq(Mode::default);
    let picked = use_state_eq(|| None::<AttrValue>);
    let on_pick = use_stable(&{
        let (mode, picked) = (mode.clone(), picked.clone());
        Callback::from(move |kind: Option<AttrValue>| {
            mode.set(Mode::Resources);
            picked.set(kind);
        })
    });
    let show = Show {
        view: use_same(&props.overview),
        layers: use_same(&props.layers),
        on_goto: use_stable(&props.on_goto),
        on_ask: use_stable(&props.on_ask),
        on_event: use_stable(&props.on_event),
        on_pick,
    };
    let on_mode = use_stable(&Callback::from({
        let mode = mode.clone();
        move |now| mode.set(now)
    }));
    let pick = picked.as_ref().filter(|it| show.view.resource(it).is_some()).cloned();
    let body = if show.view.versions.is_empty() {
        empty(&show)
    } else {
        html! {
            <>
                <Bar show={show.clone()} mode={*mode} {on_mode} />
                { match *mode {
                    Mode::Resources => html! { <Resources show={show.clone()} {pick} /> },
                    Mode::Deletion => html! { <Deletion show={show.clone()} draft={props.draft.clone()} /> },
                    Mode::Changes => html! { <Changes show={show.clone()} /> },
                } }
            </>
        }
    };
    html! {
        <section class="services pane" aria-label="Services">
            { stale_strip(props.stale) }
            { body }
        </section>
    }
}

fn empty(show: &Show) -> Html {
    html! {
        <div class="pane-empty">
            { IconName::Services.html() }
            <p class="pane-empty-title">{ "No services yet" }</p>
            <p>{ super::prose::prose("Drop a service specification, a file with `proto: {package: …}` and \
             `resources`: its kinds, methods and deletions are shown here.") }</p>
            <button type="button" class="pane-empty-button" onclick={show.does(ServicesEvent::Example)}>
                { "Open an example" }</button>
        </div>
    }
}
