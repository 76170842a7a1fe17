//! The Compare view.

mod points;
mod texts;

use std::{cell::RefCell, rc::Rc};

use gloo::utils::document;
use ui::views::{ComparisonPane, NOW, PointItem, PointsEvent};
use wasm_bindgen::{JsCast, closure::Closure};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Event, HtmlInputElement};
use workspace::{
    File,
    view::{ComparedGraphView, ComparisonView, DrawnComparisonView},
};
use yew::prelude::*;

use crate::{
    app::{context::Context, lazy::Page, panes::places::placing},
    import,
    message::query::{Compare, ComparedSide, ReadPackage},
    state::Action,
    text,
};
use points::{Opened, Point, Source, points};

/// The two points that are compared; kept while another view is open.
#[derive(Clone, Debug, Default, PartialEq)]
struct Chosen {
    before: Option<AttrValue>,
    after: Option<AttrValue>,
    opened: Option<Rc<Opened>>,
}

thread_local! {
    static CHOSEN: RefCell<Chosen> = RefCell::default();
}

/// The Compare view.
pub fn view(page: &Page) -> Html {
    html! { <Comparing page={page.clone()} /> }
}

#[derive(Clone, PartialEq, Properties)]
struct ComparingProps {
    page: Page,
}

#[component]
fn Comparing(ComparingProps { page }: &ComparingProps) -> Html {
    let context = &page.context;
    let chosen = use_state(|| CHOSEN.with_borrow(Clone::clone));
    let choose = {
        let setter = chosen.setter();
        Callback::from(move |chosen: Chosen| {
            CHOSEN.set(chosen.clone());
            setter.set(chosen);
        })
    };
    let versions = points::use_versions(context);
    let all = points(context.state(), &versions, chosen.opened.as_ref());
    let (before, after) = sides(&all, &chosen);
    let found = use_comparison(context, &before, &after);
    let texts = use_memo((before.source.clone(), after.source.clone()), |(before, after)| {
        texts::differences(before, after)
    });
    let on_event = {
        let (chosen, ids) = ((*chosen).clone(), (before.item.id.clone(), after.item.id.clone()));
        let context = context.clone();
        Callback::from(move |event| act(&context, event, &chosen, &ids, &choose))
    };
    let items: Vec<PointItem> = all.iter().map(|it| it.item.clone()).collect();
    html! {
        <ComparisonPane points={Rc::new(PointItem::distinct(items))} before={before.item.id.clone()} after={after.item.id.clone()}
            comparison={found.as_ref().map(|it| it.0.clone())} graph={found.map(|it| it.1).unwrap_or_default()} {texts}
            layers={page.layers.clone()} {on_event} on_places={placing(context)} on_goto={context.does(Action::Goto)} />
    }
}

fn act(
    context: &Context,
    event: PointsEvent,
    chosen: &Chosen,
    ids: &(AttrValue, AttrValue),
    choose: &Callback<Chosen>,
) {
    let (before, after) = ids.clone();
    let with =
        |before, after| Chosen { before: Some(before), after: Some(after), opened: chosen.opened.clone() };
    match event {
        PointsEvent::Before(id) => choose.emit(with(id, after)),
        PointsEvent::After(id) => choose.emit(with(before, id)),
        PointsEvent::Swap => choose.emit(with(after, before)),
        PointsEvent::Problems => context.show_problems(),
        PointsEvent::OpenFiles => open_files(context.clone(), choose.clone()),
    }
}

/// The points that are chosen and still there; otherwise those that say the most.
fn sides(all: &[Point], chosen: &Chosen) -> (Point, Point) {
    let get = |id: &Option<AttrValue>| all.iter().find(|it| Some(&it.item.id) == id.as_ref()).cloned();
    let (first, second) = points::likely(all);
    (get(&chosen.before).unwrap_or(first), get(&chosen.after).unwrap_or(second))
}

/// The difference and the graph of both sides.
type Found = (Rc<ComparisonView>, Rc<ComparedGraphView>);

/// The comparison of two points; requested again when either changes.
#[hook]
fn use_comparison(context: &Context, before: &Point, after: &Point) -> Option<Found> {
    let found = use_state(|| None::<Found>);
    let asked = use_mut_ref(|| 0_u32);
    {
        let (context, found) = (context.clone(), found.setter());
        use_effect_with((before.clone(), after.clone()), move |(before, after)| {
            *asked.borrow_mut() += 1;
            let (number, (before, after)) = (*asked.borrow(), (before.clone(), after.clone()));
            spawn_local(async move {
                let (Some(before), Some(after)) = (before.source.side().await, after.source.side().await)
                else {
                    return context.say("This revision of the state is no longer kept");
                };
                let then = Callback::from(move |answer: Option<DrawnComparisonView>| {
                    if *asked.borrow() == number {
                        found.set(answer.map(|DrawnComparisonView { comparison, graph }| {
                            (Rc::new(comparison), Rc::new(graph))
                        }));
                    }
                });
                context.engine.ask(Compare { before, after }, then);
            });
        });
    }
    (*found).clone()
}

/// Lets files be picked that are compared and not added.
fn open_files(context: Context, choose: Callback<Chosen>) {
    let Some(field) =
        document().create_element("input").ok().and_then(|it| it.dyn_into::<HtmlInputElement>().ok())
    else {
        return;
    };
    field.set_type("file");
    field.set_multiple(true);
    field.set_accept(".yaml,.yml,.zip,.json");
    let picked = Closure::once_into_js(move |event: Event| {
        let list =
            event.target().and_then(|it| it.dyn_into::<HtmlInputElement>().ok()).and_then(|it| it.files());
        let Some(list) = list else { return };
        spawn_local(async move { take(&context, import::picked(list).await, &choose) });
    });
    field.set_onchange(Some(picked.unchecked_ref()));
    field.click();
}

/// Reads what was picked; packages are read by the engine.
fn take(context: &Context, picked: Vec<import::Picked>, choose: &Callback<Chosen>) {
    let choose_files = {
        let choose = choose.clone();
        move |files: Vec<File>| {
            let opened = Opened::of(files);
            let id = Some(AttrValue::from(points::OPENED));
            choose.emit(Chosen { before: id, after: Some(NOW.into()), opened: Some(Rc::new(opened)) });
        }
    };
    let mut files = Vec::new();
    for import::Picked { path, bytes } in picked {
        if path.ends_with(".zip") {
            let query = ReadPackage { name: path, bytes: crate::host::to_base64url(&bytes) };
            let (said, choose_files) = (context.clone(), choose_files.clone());
            let then = Callback::from(move |answer| match answer {
                Some(Ok(files)) => choose_files(files),
                Some(Err(why)) => said.say(why),
                None => {}
            });
            return context.engine.ask(query, then);
        }
        match text::read(&path, bytes) {
            Ok(text) => files.push(File { name: path, text, package: None }),
            Err(why) => return context.say(why),
        }
    }
    if !files.is_empty() {
        choose_files(files);
    }
}

impl Source {
    /// The side of the comparison for the engine; `None` for a revision that is no longer kept.
    async fn side(&self) -> Option<ComparedSide> {
        match self {
            Self::Files(files) => Some(ComparedSide::Files(files.texts())),
            Self::Opened(opened) => Some(ComparedSide::Files(opened.files.clone())),
            Self::State(input) => Some(ComparedSide::State(input.text.clone())),
            Self::Version(serial) => points::version(*serial).await.map(ComparedSide::State),
        }
    }
}
