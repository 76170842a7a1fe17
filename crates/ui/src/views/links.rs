//! The Links pane: providers and consumers, as a list, a matrix and a map, each link with its explanation.

mod bar;
mod filter;
#[cfg(test)]
mod fixture;
mod impact;
mod list;
mod map;
mod matrix;
mod model;
mod name;
mod outcome;
mod pick;
mod show;
mod why;

use std::rc::Rc;

use workspace::view::{LinkMapView, LinksView, LocationView};
use yew::prelude::*;

use self::{
    bar::{Bar, Mode},
    filter::Filter,
    list::List,
    map::Map,
    matrix::Matrix,
    model::Model,
    pick::Pick,
    show::Show,
    why::Why,
};
use super::{
    Same,
    place::stale_strip,
    same::{use_same, use_stable},
};
use crate::{IconName, LayerBadge};

/// Properties of [`LinksPane`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct LinksPaneProps {
    /// The links.
    pub links: Rc<LinksView>,
    /// The owners with their links, and their places in the drawing.
    pub map: Rc<LinkMapView>,
    /// The files, for their badges.
    pub layers: Rc<Vec<LayerBadge>>,
    /// The files cannot be read at the moment; these are the last links.
    #[prop_or_default]
    pub stale: bool,
    /// The rules of BOSH's director count.
    #[prop_or_default]
    pub bosh: bool,
    /// Called with the place that is clicked.
    pub on_goto: Callback<LocationView>,
    /// Called with whether the rules of BOSH's director count.
    pub on_bosh: Callback<bool>,
    /// Called when an example of links is wanted.
    pub on_example: Callback<()>,
}

/// The links.
#[component]
pub fn LinksPane(props: &LinksPaneProps) -> Html {
    let (on_goto, on_bosh) = (use_stable(&props.on_goto), use_stable(&props.on_bosh));
    let (links, map) = (use_same(&props.links), use_same(&props.map));
    let layers = use_same(&props.layers);
    let model = use_memo((links, map), |(links, map)| Model::new(&links.0, &map.0));
    let body = if model.view.links.is_empty() && model.view.providers.is_empty() {
        empty(&model, &props.on_example)
    } else {
        html! { <Linked model={Same(model)} {layers} bosh={props.bosh} {on_goto} {on_bosh} /> }
    };
    html! {
        <section class="links pane" aria-label="Links">
            { stale_strip(props.stale) }
            { body }
        </section>
    }
}

fn empty(model: &Model, on_example: &Callback<()>) -> Html {
    let jobs = model.view.jobs_without_spec.len();
    let words = match jobs {
        0 => "Add `provides` or `consumes` to a service, or add a BOSH manifest with the specs of its \
              jobs."
            .into(),
        1 => "1 job has no spec. Add it as <release>__<job>.yml, and its links are shown here.".into(),
        count => format!(
            "{count} jobs have no spec. Add them as <release>__<job>.yml, and their links are shown here."
        ),
    };
    html! {
        <div class="pane-empty">
            { IconName::Links.html() }
            <p class="pane-empty-title">{ "No links yet" }</p>
            <p>{ super::prose::prose(&words) }</p>
            if jobs == 0 {
                <button type="button" class="pane-empty-button" onclick={on_example.reform(|_: MouseEvent| ())}>
                    { "Open an example" }</button>
            }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct LinkedProps {
    model: Same<Model>,
    layers: Same<Vec<LayerBadge>>,
    bosh: bool,
    on_goto: Callback<LocationView>,
    on_bosh: Callback<bool>,
}

#[component]
fn Linked(props: &LinkedProps) -> Html {
    let model = &props.model;
    let mode = use_state_eq(|| Mode::List);
    let filter = use_state_eq(Filter::default);
    let picked = use_state_eq(|| None::<Pick<String>>);
    let on_pick = use_stable(&{
        let (model, picked) = (model.clone(), picked.clone());
        Callback::from(move |pick: Option<Pick<usize>>| picked.set(pick.map(|pick| model.named(&pick))))
    });
    let pick = picked.as_ref().and_then(|pick| model.find(pick));
    let kept = use_memo((model.clone(), (*filter).clone()), |(model, filter)| filter.keep(model));
    let show = Show {
        model: model.clone(),
        kept: Same(kept),
        pick: pick.clone(),
        layers: props.layers.clone(),
        on_pick,
        on_goto: props.on_goto.clone(),
    };
    let onkeydown = {
        let (on_pick, open) = (show.on_pick.clone(), pick.is_some());
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" && open {
                event.stop_propagation();
                on_pick.emit(None);
            }
        })
    };
    let set_mode = Callback::from({
        let mode = mode.clone();
        move |now| mode.set(now)
    });
    let set_filter = Callback::from({
        let filter = filter.clone();
        move |now| filter.set(now)
    });
    html! {
        <>
            <Bar model={model.clone()} mode={*mode} filter={(*filter).clone()} bosh={props.bosh}
                on_mode={set_mode} on_filter={set_filter} on_bosh={props.on_bosh.clone()} />
            <div class={classes!("links-body", pick.is_some().then_some("with-pick"))} {onkeydown}>
                <div class="links-main">{ match *mode {
                    Mode::List => html! { <List show={show.clone()} /> },
                    Mode::Matrix => html! { <Matrix show={show.clone()} /> },
                    Mode::Map => html! { <Map show={show.clone()} /> },
                } }</div>
                <Why {show} />
            </div>
        </>
    }
}
