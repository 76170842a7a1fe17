//! The bar above the drawing.

use workspace::view::Action;
use yew::prelude::*;

use super::{
    lens::{GraphExport, Lens},
    tools::Open,
};
use crate::{IconName, LayerBadge, MenuButton, MenuItem, action_mark, views::Same};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct BarProps {
    pub(super) lens: UseStateHandle<Lens>,
    pub(super) open: UseStateHandle<Open>,
    /// The number of resources that a filter keeps, and the number of all.
    pub(super) kept: Option<(usize, usize)>,
    /// The resource whose neighbourhood is shown, and the callback that shows everything again.
    pub(super) center: Option<(AttrValue, Callback<()>)>,
    pub(super) layers: Same<Vec<LayerBadge>>,
    /// The addresses of the resources that the plan destroys and no file describes.
    pub(super) leaving: Vec<String>,
    pub(super) on_select: Callback<String>,
    pub(super) on_export: Callback<GraphExport>,
    /// Saves the drawing as a raster image.
    pub(super) on_picture: Callback<()>,
}

#[component]
pub(super) fn Bar(props: &BarProps) -> Html {
    let BarProps { lens, open, .. } = props;
    let show = |change: fn(&mut Open)| {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| {
            let mut next = (*open).clone();
            change(&mut next);
            open.set(next);
        })
    };
    html! {
        <div class="pane-bar">
            { toggle("Find", "Find, filter, group (/)", IconName::Search, open.finder, show(|it| it.finder = !it.finder)) }
            { layer_filter(&props.layers, lens) }
            if let Some((address, back)) = &props.center {
                { chip(format!("Around {address}"), "Show the whole graph (Escape)", back.reform(|_: MouseEvent| ())) }
            }
            { grouped(lens) }
            { filtered(props) }
            <span class="pane-bar-space" />
            { leaving(&props.leaving, &props.on_select) }
            { toggle("Legend", "Legend", IconName::Keyboard, open.legend, show(|it| it.legend = !it.legend)) }
            { toggle("Tree", "Tree", IconName::Tree, open.tree, show(|it| it.tree = !it.tree)) }
            { export(props) }
        </div>
    }
}

/// One chip per file; with one pressed, the resources that the file does not affect are faded.
fn layer_filter(layers: &[LayerBadge], lens: &UseStateHandle<Lens>) -> Html {
    if layers.len() < 2 {
        return Html::default();
    }
    html! {
        <div class="chip-group graph-files" role="group" aria-label="Show only resources of one file">
            { for layers.iter().map(|layer| {
                let on = lens.file.as_deref() == Some(&*layer.file);
                let file = (!on).then(|| layer.file.clone());
                let lens = lens.clone();
                let onclick = Callback::from(move |_: MouseEvent| lens.set(Lens { file: file.clone(), ..(*lens).clone() }));
                let said = format!("Show only resources of {}", layer.file);
                html! {
                    <button type="button" class={classes!("filter-chip", "layer-chip")} aria-pressed={on.to_string()} {onclick}
                        title={said.clone()} aria-label={said}>
                        { crate::layer_mark(layer, false) }
                    </button>
                }
            }) }
        </div>
    }
}

/// A chip that names a filter in force, and ends it.
fn chip(words: String, title: &'static str, onclick: Callback<MouseEvent>) -> Html {
    html! {
        <button type="button" class="filter-chip" aria-pressed="true" {onclick} {title}>
            { words }{ IconName::Close.html() }
        </button>
    }
}

fn grouped(lens: &UseStateHandle<Lens>) -> Html {
    let Some(by) = lens.group else { return Html::default() };
    let lens = lens.clone();
    let end = Callback::from(move |_: MouseEvent| {
        lens.set(Lens { group: None, open: Default::default(), ..(*lens).clone() });
    });
    chip(format!("Grouped by {}", by.word()), "Show single resources", end)
}

fn filtered(props: &BarProps) -> Html {
    let Some((kept, all)) = props.kept else { return Html::default() };
    let lens = props.lens.clone();
    let end = Callback::from(move |_: MouseEvent| lens.set(lens.unfiltered()));
    chip(format!("{kept} of {all}"), "Show all", end)
}

/// The resources that are destroyed but no longer described: they are not in the drawing, so they are named here.
fn leaving(addresses: &[String], on_select: &Callback<String>) -> Html {
    let Some(first) = addresses.first().cloned() else { return Html::default() };
    let words = match addresses.len() {
        1 => format!("{first} will be destroyed"),
        count => format!("{count} will be destroyed"),
    };
    let onclick = on_select.reform(move |_: MouseEvent| first.clone());
    html! {
        <button type="button" class="graph-leaving action-destroy" title={addresses.join(", ")} {onclick}>
            { action_mark(Action::Destroy, false) }<span>{ words }</span>
        </button>
    }
}

fn toggle(
    words: &'static str,
    title: &'static str,
    icon: IconName,
    on: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    html! {
        <button type="button" class="quiet-button" {title} aria-label={words} aria-pressed={on.to_string()} {onclick}>
            { icon.html() }<span>{ words }</span>
        </button>
    }
}

fn export(props: &BarProps) -> Html {
    let save = |label: &'static str, as_what: GraphExport| {
        let on_export = props.on_export.clone();
        MenuItem::new(IconName::Export, label, Callback::from(move |()| on_export.emit(as_what.clone())))
    };
    let items = vec![
        save("Save as SVG", GraphExport::Svg),
        MenuItem::new(IconName::Export, "Save as PNG", props.on_picture.clone()),
        save("Save as DOT", GraphExport::Dot),
        save("Save as Mermaid", GraphExport::Mermaid),
    ];
    html! { <MenuButton icon={IconName::Export} label="Save the graph" {items} /> }
}
