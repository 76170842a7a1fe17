//! The examples: on the page before there is anything, and as a gallery.

use std::rc::Rc;

use ui::{ExampleView, Gallery};
use wasm_bindgen_futures::spawn_local;
use workspace::view::LayoutView;
use yew::prelude::*;

use crate::{
    app::{
        context::{Context, Overlay},
        lazy::Page,
    },
    engine::Engine,
    examples::EXAMPLES,
    home,
    message::query::Picture,
};

/// The page before there is anything.
pub fn empty(page: &Page) -> Html {
    let context = page.context.clone();
    html! { <Empty context={Handle(context)} /> }
}

/// The dialog with all examples.
pub fn gallery(page: &Page) -> Html {
    let context = page.context.clone();
    html! { <Opened context={Handle(context)} /> }
}

/// A context as a property: nothing is drawn again because it is another one.
#[derive(Clone)]
struct Handle(Context);

impl PartialEq for Handle {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[derive(Clone, PartialEq, Properties)]
struct HandleProps {
    context: Handle,
}

#[component]
fn Empty(props: &HandleProps) -> Html {
    let examples = use_examples(&props.context.0.engine);
    let context = props.context.0.clone();
    ui::empty(&examples, &Callback::from(move |event| context.empty(event)))
}

#[component]
fn Opened(props: &HandleProps) -> Html {
    let context = &props.context.0;
    let examples = use_examples(&context.engine);
    let on_close = {
        let overlay = context.overlay.clone();
        Callback::from(move |()| overlay.set(Overlay::None))
    };
    let on_open = {
        let context = context.clone();
        Callback::from(move |at: usize| {
            context.overlay.set(Overlay::None);
            EXAMPLES.get(at).into_iter().for_each(|example| context.open_example(*example));
        })
    };
    html! { <Gallery {examples} opens_beside={home::is_real()} {on_open} {on_close} /> }
}

/// The examples with their graphs, which the engine draws as their files arrive.
#[hook]
fn use_examples(engine: &Engine) -> Rc<Vec<ExampleView>> {
    let pictures = use_state(|| vec![None::<Rc<LayoutView>>; EXAMPLES.len()]);
    let drawn = use_mut_ref(|| vec![None; EXAMPLES.len()]);
    let (engine, setter) = (engine.clone(), pictures.setter());
    use_effect_with((), move |()| {
        for (at, example) in EXAMPLES.iter().enumerate() {
            let (drawn, setter, engine) = (drawn.clone(), setter.clone(), engine.clone());
            let then = Callback::from(move |layout: Option<LayoutView>| {
                if let Some(layout) = layout {
                    let mut drawn = drawn.borrow_mut();
                    if let Some(slot) = drawn.get_mut(at) {
                        *slot = Some(Rc::new(layout));
                    }
                    setter.set(drawn.clone());
                }
            });
            spawn_local(async move {
                if let Some(files) = example.files().await {
                    engine.ask(Picture { files }, then);
                }
            });
        }
    });
    let view = |(example, layout): (&crate::examples::Example, &Option<Rc<LayoutView>>)| ExampleView {
        title: example.title.into(),
        line: example.line.into(),
        tab: example.tab.title().into(),
        icon: example.tab.icon(),
        layout: layout.clone(),
    };
    Rc::new(EXAMPLES.iter().zip(&*pictures).map(view).collect())
}
