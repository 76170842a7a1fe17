//! The small signs on boxes: the action, the state, the file.

use workspace::view::Action;

use super::{
    Pen,
    nodes::{badge_ink, look_ink},
};
use crate::{
    LayerBadge,
    views::{
        graph::{
            ink::Ink,
            model::{Node, Sort, Standing, State},
            scene::Detail,
        },
        live::StepLook,
    },
};

/// The largest number of letters that have room.
const MOST: usize = 4;

/// The width at the right side of a box that its letters take.
pub(super) fn room(pen: &Pen, node: &Node) -> f32 {
    if badge(pen, node).is_some() { 30.0 } else { 10.0 + 19.0 * node.dress.letters.len().min(MOST) as f32 }
}

/// The badge of the file that declares a node.
fn badge<'a>(pen: &'a Pen, node: &Node) -> Option<&'a LayerBadge> {
    let own = pen.model().sort != Sort::Upgrades && node.members.is_empty();
    LayerBadge::of(&pen.sheet.layers, &node.origin.file).filter(|_| own)
}

pub(super) fn draw(pen: &Pen, nodes: &[&Node], detail: Detail) {
    pen.align("center");
    if detail == Detail::Near {
        pen.font(600, 10.0 * pen.camera.scale);
        for node in nodes {
            let letters = node.dress.letters.iter().take(MOST).enumerate();
            let letters = letters.map(|(nr, it)| (it, 19.0 * nr as f32));
            for (badge, by) in badge(pen, node).map(|it| (it, 0.0)).into_iter().chain(letters) {
                letter(pen, node, badge, by);
            }
        }
    }
    // Signs are found also where a box is small.
    let size = pen.camera.scale.max(0.62);
    pen.mono(600, 13.0 * size);
    for node in nodes {
        if let Some((text, ink, full)) = sign(node) {
            corner(pen, node, size, (text, ink, full));
        }
    }
}

fn letter(pen: &Pen, node: &Node, badge: &LayerBadge, by: f32) {
    let scale = pen.camera.scale;
    let [left, top] =
        pen.camera.point([node.rect[0] + node.rect[2] - 24.0 - by, node.rect[1] + node.rect[3] - 23.0]);
    let rect = [left, top, 16.0 * scale, 15.0 * scale];
    let ink = badge_ink(badge);
    if ink == Ink::Apart {
        pen.stroke(ink, 1.0);
        pen.line_around(rect, 4.0 * scale);
        pen.fill(ink);
    } else {
        pen.fill(ink);
        pen.solid(rect, 4.0 * scale);
        pen.fill(Ink::OnLayer);
    }
    pen.text(&badge.letter, left + 8.0 * scale, top + 11.5 * scale);
}

/// The sign in the corner, its colour, and true if it is filled.
fn sign(node: &Node) -> Option<(&'static str, Ink, bool)> {
    if let Some(action) = node.action {
        return Some((action.words().symbol, Ink::Act(action), action.destroys()));
    }
    if node.problems > 0 {
        return Some(("!", Ink::Error, true));
    }
    let ink = match node.dress.standing {
        Standing::Chosen => Ink::Act(Action::Create),
        Standing::Deprecated => Ink::Warning,
        Standing::Plain | Standing::Installed | Standing::Skipped => Ink::Muted,
    };
    node.dress.standing.sign().map(|sign| (sign, ink, false))
}

fn corner(pen: &Pen, node: &Node, size: f32, (text, ink, full): (&str, Ink, bool)) {
    let [right, top] = pen.camera.point([node.rect[0] + node.rect[2], node.rect[1]]);
    let [left, top] = [right - 14.0 * size, top - 8.0 * size];
    pen.fill(if full { ink } else { Ink::Surface });
    pen.solid([left, top, 20.0 * size, 18.0 * size], 5.0 * size);
    pen.stroke(ink, 1.2);
    pen.context.stroke();
    pen.fill(if full { Ink::Surface } else { ink });
    pen.text(text, left + 10.0 * size, top + 13.5 * size);
}

/// Told apart by shape: filled, half, hollow, dotted.
pub(super) fn state(pen: &Pen, node: &Node, [x, y]: [f32; 2]) {
    let radius = 3.5 * pen.camera.scale;
    let ink = node.look.map_or(Ink::Muted, look_ink);
    let dotted =
        node.look == Some(StepLook::Skipped) || (node.look.is_none() && node.state == State::Unknown);
    let filled = match node.look {
        Some(look) => matches!(look, StepLook::Done | StepLook::Failed),
        None => node.state == State::InSync,
    };
    let wide = if node.look == Some(StepLook::Running) { 3.0 } else { 1.4 };
    pen.stroke(ink, wide * pen.camera.scale);
    pen.fill(ink);
    if dotted {
        pen.dash(&[1.6 * pen.camera.scale, 1.6 * pen.camera.scale]);
    }
    arc(pen, [x, y], radius, (0.0, std::f64::consts::TAU));
    if filled {
        pen.context.fill();
    }
    pen.context.stroke();
    pen.dash(&[]);
    if node.look.is_none() && node.state == State::Differs {
        let quarter = std::f64::consts::FRAC_PI_2;
        arc(pen, [x, y], radius, (-quarter, quarter));
        pen.context.fill();
    }
}

fn arc(pen: &Pen, [x, y]: [f32; 2], radius: f32, (from, to): (f64, f64)) {
    pen.context.begin_path();
    let _ = pen.context.arc(x.into(), y.into(), radius.into(), from, to);
}
