//! The points that have a time, in one line: the changes of the files above the revisions of the state.

use js_sys::Date;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, HtmlInputElement};
use yew::prelude::*;

use super::{ComparisonPaneProps, PointItem, PointTime, PointsEvent};

/// One of the two sides that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pin {
    Before,
    After,
}

impl Pin {
    fn event(self, id: AttrValue) -> PointsEvent {
        match self {
            Self::Before => PointsEvent::Before(id),
            Self::After => PointsEvent::After(id),
        }
    }

    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Before => ("Before, on the time line", "timeline-before"),
            Self::After => ("After, on the time line", "timeline-after"),
        }
    }
}

/// The time line; nothing where it would have one point.
pub(super) fn timeline(props: &ComparisonPaneProps) -> Html {
    let points = in_time(&props.points);
    let last = points.len().saturating_sub(1);
    if last == 0 {
        return Html::default();
    }
    let pins = pins(&points, &props.before, &props.after);
    let onclick = clicking(props, &points, &pins);
    let dot = |at: usize, point: &PointItem| {
        let class = if point.is_state() { "timeline-dot timeline-state" } else { "timeline-dot" };
        html! { <span {class} title={said(point)} ~style={format!("left:{:.2}%", at as f64 * 100.0 / last as f64)} /> }
    };
    html! {
        <div class="timeline" role="group" aria-label="Time line">
            <span class="timeline-end" aria-hidden="true">{ points.first().map(time).unwrap_or_default() }</span>
            <div class="timeline-track">
                <div class="timeline-dots" aria-hidden="true" {onclick}>
                    { for points.iter().enumerate().map(|(at, point)| dot(at, point)) }
                </div>
                { for pins.iter().map(|(pin, at)| slider(*pin, *at, &points, &props.on_event)) }
            </div>
            <span class="timeline-end" aria-hidden="true">{ "now" }</span>
        </div>
    }
}

/// The points that have a time, the earliest first; the open files come last.
fn in_time(points: &[PointItem]) -> Vec<PointItem> {
    let mut timed: Vec<PointItem> = points.iter().filter(|it| it.time.is_some()).cloned().collect();
    diag::order::by_key(&mut timed, |it| it.time);
    timed
}

/// The sides that are on the line, and where.
fn pins(points: &[PointItem], before: &str, after: &str) -> Vec<(Pin, usize)> {
    let place = |(pin, id): (Pin, &str)| Some((pin, points.iter().position(|it| it.id == id)?));
    [(Pin::Before, before), (Pin::After, after)].into_iter().filter_map(place).collect()
}

/// The pin that a click moves: the nearest one; where none is on the line, the side before.
fn nearest(pins: &[(Pin, usize)], to: usize) -> Pin {
    pins.iter().min_by_key(|(_, at)| at.abs_diff(to)).map_or(Pin::Before, |(pin, _)| *pin)
}

fn slider(pin: Pin, at: usize, points: &[PointItem], on_event: &Callback<PointsEvent>) -> Html {
    let oninput = {
        let ids: Vec<AttrValue> = points.iter().map(|it| it.id.clone()).collect();
        let on_event = on_event.clone();
        Callback::from(move |event: InputEvent| {
            let to = event.target_unchecked_into::<HtmlInputElement>().value().parse::<usize>().ok();
            let id = to.and_then(|to| ids.get(to)).cloned();
            id.into_iter().for_each(|id| on_event.emit(pin.event(id)));
        })
    };
    let (label, class) = pin.words();
    html! {
        <input type="range" class={classes!("timeline-pin", class)} min="0" max={(points.len() - 1).to_string()} step="1"
            value={at.to_string()} aria-label={label} aria-valuetext={points.get(at).map(said)} {oninput} />
    }
}

/// A click on the line moves the nearest pin to the nearest point.
fn clicking(
    props: &ComparisonPaneProps,
    points: &[PointItem],
    pins: &[(Pin, usize)],
) -> Callback<MouseEvent> {
    let (ids, pins) = (points.iter().map(|it| it.id.clone()).collect::<Vec<_>>(), pins.to_vec());
    let on_event = props.on_event.clone();
    Callback::from(move |event: MouseEvent| {
        let to = pointed(&event, ids.len() - 1);
        let id = to.and_then(|to| ids.get(to).cloned().zip(Some(nearest(&pins, to))));
        id.into_iter().for_each(|(id, pin)| on_event.emit(pin.event(id)));
    })
}

/// The point that is nearest to the pointer.
fn pointed(event: &MouseEvent, last: usize) -> Option<usize> {
    let under = event.target()?.dyn_into::<Element>().ok()?;
    let line = under.closest(".timeline-dots").ok()??.dyn_into::<HtmlElement>().ok()?;
    let left = f64::from(event.client_x()) - line.get_bounding_client_rect().left();
    let part = left / f64::from(line.offset_width().max(1));
    Some((part * last as f64).round().clamp(0.0, last as f64) as usize)
}

/// The label of a point, followed by its time.
pub(super) fn said(point: &PointItem) -> String {
    let time = time(point);
    match point.time {
        Some(PointTime::At(_)) if !point.label.ends_with(&time) => format!("{}, {time}", point.label),
        _ => point.label.to_string(),
    }
}

/// The time of a point, in the words of the reader's language.
fn time(point: &PointItem) -> String {
    match point.time {
        Some(PointTime::At(at)) => {
            let date = Date::new(&JsValue::from_f64(at as f64));
            let is_today = date.to_date_string() == Date::new_0().to_date_string();
            let said = if is_today {
                date.to_locale_time_string("default")
            } else {
                date.to_locale_string("default", &JsValue::UNDEFINED)
            };
            said.into()
        }
        Some(PointTime::Now) => "now".to_owned(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(id: &'static str, time: Option<PointTime>) -> PointItem {
        PointItem { id: id.into(), group: "Files".into(), label: id.into(), is_open: false, time }
    }

    #[test]
    fn points_are_in_the_order_of_their_times_and_now_is_last() {
        let points = [
            point("now", Some(PointTime::Now)),
            point("environment", None),
            point("revision 2", Some(PointTime::At(20))),
            point("typing", Some(PointTime::At(10))),
        ];
        let line = in_time(&points);
        let ids: Vec<&str> = line.iter().map(|it| &*it.id).collect();
        assert_eq!(ids, ["typing", "revision 2", "now"]);
        assert_eq!(pins(&line, "environment", "now"), [(Pin::After, 2)]);
    }

    #[test]
    fn a_click_moves_the_nearest_pin() {
        let pins = [(Pin::Before, 1), (Pin::After, 8)];
        assert_eq!(nearest(&pins, 0), Pin::Before);
        assert_eq!(nearest(&pins, 7), Pin::After);
        assert_eq!(nearest(&[], 3), Pin::Before);
    }
}
