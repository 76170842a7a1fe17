//! Nodes: far off as marks in the colour of their action, else as boxes with as much text as has room in them.

use std::collections::BTreeMap;

use workspace::view::Action;

use super::{Pen, signs};
use crate::{
    LayerBadge,
    views::{
        fit::{fit, fit_ends},
        graph::{
            icon::kind_icon,
            ink::Ink,
            model::{Node, Sort, Standing},
            scene::{Detail, Scene},
        },
        live::StepLook,
    },
};

pub(super) fn draw(pen: &Pen, scene: &Scene) {
    for (nodes, alpha) in [(&scene.faded, pen.theme.faded()), (&scene.nodes, 1.0)] {
        pen.alpha(alpha);
        match scene.detail {
            Detail::Far => marks(pen, nodes, alpha),
            Detail::Middle | Detail::Near => boxes(pen, nodes, scene.detail, alpha),
        }
    }
    pen.alpha(1.0);
    let marked = [(pen.lights.selected, 2.0, 0.0), (pen.lights.ring, 2.5, 2.5)];
    for (at, width, out) in marked {
        let Some(node) = at.filter(|_| scene.detail == Detail::Far || out > 0.0).and_then(|at| pen.node(at))
        else {
            continue;
        };
        let [left, top, across, down] = pen.camera.rect(node.rect);
        let out = out + if scene.detail == Detail::Far { 2.0 } else { 0.0 };
        pen.stroke(Ink::Accent, width);
        pen.line_around(
            [left - out, top - out, across + 2.0 * out, down + 2.0 * out],
            6.0 * pen.camera.scale + out,
        );
    }
}

/// Rectangles in the colours of actions, never so small that one is lost.
fn marks(pen: &Pen, nodes: &[usize], alpha: f64) {
    let mut by_ink = BTreeMap::<Ink, Vec<[f32; 4]>>::new();
    for node in nodes.iter().filter_map(|at| pen.node(*at)) {
        let [left, top, width, height] = pen.camera.rect(node.rect);
        let least = if node.action.is_some_and(Action::destroys) { 4.0 } else { 2.5 };
        let rect = [left, top, width.max(least * 1.5), height.max(least)];
        by_ink.entry(mark_ink(node)).or_default().push(rect);
    }
    for (ink, rects) in by_ink {
        pen.alpha(alpha * if ink == Ink::Act(Action::NoOp) { 0.55 } else { 0.9 });
        pen.fill(ink);
        pen.context.begin_path();
        for [left, top, width, height] in rects {
            pen.context.rect(left.into(), top.into(), width.into(), height.into());
        }
        pen.context.fill();
    }
}

fn mark_ink(node: &Node) -> Ink {
    match (node.look, node.problems > 0, node.dress.standing) {
        (Some(StepLook::Failed), ..) | (_, true, _) => Ink::Error,
        (Some(StepLook::Running), ..) => Ink::Accent,
        (Some(StepLook::Done), ..) | (_, _, Standing::Chosen) => Ink::Act(Action::Create),
        _ => Ink::Act(node.action.unwrap_or(Action::NoOp)),
    }
}

/// The style of a box; boxes of one style are drawn together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Look {
    tint: Option<Ink>,
    border: Ink,
    /// Tenths of pixels.
    width: u8,
    dashed: bool,
}

fn look(pen: &Pen, at: usize, node: &Node) -> Look {
    let plain = Look { tint: None, border: Ink::Border, width: 10, dashed: false };
    let loud = node.action.filter(|action| action.destroys()).map(Ink::Act);
    if pen.lights.selected == Some(at) {
        return Look { tint: Some(Ink::Accent), border: Ink::Accent, width: 20, ..plain };
    }
    match (node.look, loud, node.dress.standing) {
        (Some(StepLook::Failed), ..) => Look { border: Ink::Error, width: 20, ..plain },
        (Some(StepLook::Running), ..) => Look { border: Ink::Accent, width: 15, ..plain },
        (_, Some(ink), _) => Look { tint: Some(ink), border: ink, width: 15, ..plain },
        (_, _, Standing::Chosen) => Look { border: Ink::Act(Action::Create), width: 20, ..plain },
        (_, _, Standing::Skipped) => Look { dashed: true, ..plain },
        _ if pen.lights.middle == Some(at) => Look { border: Ink::Edge, ..plain },
        _ => plain,
    }
}

fn boxes(pen: &Pen, nodes: &[usize], detail: Detail, alpha: f64) {
    let mut by_look = BTreeMap::<Look, Vec<&Node>>::new();
    for (at, node) in nodes.iter().filter_map(|at| Some((*at, pen.node(*at)?))) {
        by_look.entry(look(pen, at, node)).or_default().push(node);
    }
    for (look, nodes) in &by_look {
        frame(pen, *look, nodes, alpha);
    }
    let nodes: Vec<&Node> = nodes.iter().filter_map(|at| pen.node(*at)).collect();
    names(pen, &nodes, detail);
    if detail == Detail::Near {
        below(pen, &nodes);
        icons(pen, &nodes);
    }
    signs::draw(pen, &nodes, detail);
}

fn frame(pen: &Pen, look: Look, nodes: &[&Node], alpha: f64) {
    let radius = 6.0 * pen.camera.scale;
    // A group is a stack: the edge of another box shows below it.
    for node in nodes.iter().filter(|node| !node.members.is_empty()) {
        let [left, top, width, height] = pen.camera.rect(node.rect);
        let by = 4.0 * pen.camera.scale;
        pen.fill(Ink::Surface);
        pen.solid([left + by, top + by, width, height], radius);
        pen.stroke(Ink::Border, 1.0);
        pen.context.stroke();
    }
    pen.context.begin_path();
    for node in nodes {
        pen.round(pen.camera.rect(node.rect), radius);
    }
    pen.fill(Ink::Surface);
    pen.context.fill();
    if let Some(ink) = look.tint {
        pen.alpha(alpha * 0.08);
        pen.fill(ink);
        pen.context.fill();
        pen.alpha(alpha);
    }
    if look.dashed {
        pen.dash(&[4.0, 3.0]);
    }
    pen.stroke(look.border, f32::from(look.width) / 10.0);
    pen.context.stroke();
    pen.dash(&[]);
}

/// The left inset of the text of a box. Versions are all of one kind, and their boxes are small: they have no icon.
fn start(pen: &Pen, detail: Detail) -> f32 {
    if pen.model().sort == Sort::Upgrades || detail != Detail::Near { 10.0 } else { 36.0 }
}

fn names(pen: &Pen, nodes: &[&Node], detail: Detail) {
    let scale = pen.camera.scale;
    let near = detail == Detail::Near;
    let size = if near { 13.0 * scale } else { (15.0 * scale).max(11.0) };
    pen.font(600, size);
    pen.align("left");
    for (quiet, ink) in [(false, Ink::Text), (true, Ink::Muted)] {
        pen.fill(ink);
        for node in nodes.iter().filter(|node| (node.dress.standing == Standing::Skipped) == quiet) {
            let [left, top, width, height] = pen.camera.rect(node.rect);
            let inset = if near { start(pen, detail) * scale } else { 6.0_f32.min(10.0 * scale) };
            let room = width - inset - if near { 10.0 * scale } else { inset };
            let text = if near { fit(&node.name, room, size) } else { fit_ends(&node.name, room, size) };
            let tall = near && node.rect[3] >= 40.0;
            let base = top + height / 2.0 + if tall { -5.0 * scale } else { size * 0.35 };
            pen.text(&text, left + inset, base);
            if node.dress.standing == Standing::Deprecated {
                struck(
                    pen,
                    [left + inset, base - size * 0.3],
                    crate::views::fit::wide(&text, size).min(room),
                );
            }
        }
    }
}

fn struck(pen: &Pen, [x, y]: [f32; 2], width: f32) {
    pen.stroke(Ink::Text, 1.0);
    pen.context.begin_path();
    pen.context.move_to(x.into(), y.into());
    pen.context.line_to((x + width).into(), y.into());
    pen.context.stroke();
}

/// The line below the name.
fn below(pen: &Pen, nodes: &[&Node]) {
    let (scale, size) = (pen.camera.scale, 11.5 * pen.camera.scale);
    let dots = pen.model().sort == Sort::Needs;
    pen.font(400, size);
    let mut by_ink = BTreeMap::<Ink, Vec<&Node>>::new();
    for node in nodes.iter().filter(|node| node.rect[3] >= 40.0) {
        by_ink.entry(below_ink(node)).or_default().push(node);
    }
    for (ink, nodes) in by_ink {
        pen.fill(ink);
        for node in nodes {
            let [left, top, width, height] = pen.camera.rect(node.rect);
            let plain = node.members.is_empty();
            let inset = (start(pen, Detail::Near) + if dots && plain { 13.0 } else { 0.0 }) * scale;
            let right = signs::room(pen, node) * scale;
            let text = fit(&node.sub, width - inset - right, size);
            pen.text(&text, left + inset, top + height / 2.0 + 13.0 * scale);
        }
    }
    if dots {
        for node in nodes.iter().filter(|node| node.members.is_empty()) {
            let [left, top, _, height] = pen.camera.rect(node.rect);
            signs::state(pen, node, [left + 40.0 * scale, top + height / 2.0 + 9.0 * scale]);
        }
    }
}

fn below_ink(node: &Node) -> Ink {
    match (node.look, node.action) {
        (Some(look), _) => look_ink(look),
        (None, Some(action)) if action.destroys() => Ink::Act(action),
        _ => Ink::Muted,
    }
}

/// The colour of a step.
pub(super) const fn look_ink(look: StepLook) -> Ink {
    match look {
        StepLook::Running => Ink::Accent,
        StepLook::Done => Ink::Act(Action::Create),
        StepLook::Failed => Ink::Error,
        StepLook::Waiting | StepLook::Skipped => Ink::Muted,
    }
}

fn icons(pen: &Pen, nodes: &[&Node]) {
    if pen.model().sort == Sort::Upgrades {
        return;
    }
    pen.stroke(Ink::Muted, 1.5);
    for node in nodes {
        let Some(path) = pen.icons.outline(kind_icon(&node.kind)) else { continue };
        let [left, top] = [node.rect[0] + 11.0, node.rect[1] + node.rect[3] / 2.0 - 8.0];
        pen.place(pen.camera.scale, pen.camera.point([left, top]));
        pen.context.stroke_with_path(&path);
    }
    pen.place(1.0, [0.0, 0.0]);
}

/// The colour of a file's badge.
pub(super) fn badge_ink(badge: &LayerBadge) -> Ink {
    if badge.apart.is_some() { Ink::Apart } else { Ink::Layer((badge.color_index % 8) as u8) }
}
