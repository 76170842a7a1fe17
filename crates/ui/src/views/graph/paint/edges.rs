//! Edges: those with the same style in one path, so that a thousand of them cost one stroke.

use workspace::view::{EdgeKind, UpgradeKind};

use super::Pen;
use crate::views::graph::{
    camera::meet,
    curve::{Stretch, arrowhead, length, middle, stretches},
    ink::Ink,
    model::{Connection, Edge},
    scene::{Detail, Scene, Tone},
};

/// The line style of a connection.
struct Line {
    width: f32,
    dash: &'static [f32],
    strength: f64,
}

const fn line(kind: Connection) -> Line {
    let (width, dash, strength): (f32, &[f32], f64) = match kind {
        Connection::Need(EdgeKind::DependsOn) | Connection::Upgrade(UpgradeKind::Replaces) => (1.4, &[], 1.0),
        Connection::Need(EdgeKind::Reference) => (1.4, &[5.0, 3.5], 1.0),
        Connection::Need(EdgeKind::Attachment) => (0.9, &[], 0.75),
        Connection::Need(EdgeKind::Link) => (4.0, &[], 1.0),
        Connection::Need(EdgeKind::Version) => (1.4, &[1.5, 3.5], 1.0),
        Connection::Upgrade(UpgradeKind::Skips) => (1.4, &[7.0, 4.0], 1.0),
        Connection::Upgrade(UpgradeKind::SkipRange) => (1.4, &[1.5, 4.0], 1.0),
    };
    Line { width, dash, strength }
}

pub(super) fn draw(pen: &Pen, scene: &Scene) {
    let context = pen.context;
    context.set_line_cap("round");
    context.set_line_join("round");
    let view = seen(pen);
    for (&(tone, kind), edges) in &scene.strokes {
        let look = line(kind);
        let (ink, more) = match tone {
            Tone::Faded | Tone::Plain => (Ink::Edge, 0.0),
            Tone::Act(action) => (Ink::Act(action), 0.4),
            Tone::Lit => (Ink::Accent, 0.6),
        };
        pen.alpha(match tone {
            Tone::Faded => scene.strength * 0.16_f64.max(if pen.theme.contrast { 0.5 } else { 0.0 }),
            Tone::Plain if pen.theme.contrast => scene.strength.max(0.5),
            Tone::Plain => scene.strength * look.strength,
            Tone::Act(_) | Tone::Lit => 1.0,
        });
        let far = scene.detail == Detail::Far;
        let width = if far && kind.is_link() { 1.6 } else { look.width } + more;
        let width = width * pen.camera.scale.clamp(0.6, 1.8);
        pen.stroke(ink, width);
        let dashed = scene.detail == Detail::Near && edges.len() < 400;
        if dashed {
            pen.dash(&look.dash.iter().map(|it| it * pen.camera.scale).collect::<Vec<_>>());
        }
        context.begin_path();
        for edge in edges.iter().filter_map(|at| pen.model().edges.get(*at)) {
            trace(pen, &edge.route, view, far);
        }
        context.stroke();
        pen.dash(&[]);
        if kind.is_link() && !far {
            pen.stroke(Ink::Ground, 1.8 * pen.camera.scale.clamp(0.6, 1.8));
            context.stroke();
        }
        if !far {
            pen.stroke(ink, look.width.min(1.8) * pen.camera.scale.clamp(0.6, 1.8) + more / 2.0);
            heads(pen, edges);
        }
    }
    if scene.detail != Detail::Far {
        labels(pen, scene);
    }
}

/// The part of the drawing that is in the pane, with room for lines that swing out: left, top, width, height.
fn seen(pen: &Pen) -> [f32; 4] {
    let canvas = pen.context.canvas();
    let size =
        canvas.map_or((0.0, 0.0), |it| (it.width() as f32 / pen.ratio, it.height() as f32 / pen.ratio));
    let [left, top, width, height] = pen.camera.seen(size);
    [left - 20.0, top - 20.0, width + 40.0, height + 40.0]
}

/// Adds a way to the path: only its stretches that can be seen.
fn trace(pen: &Pen, route: &[[f32; 2]], view: [f32; 4], straight: bool) {
    let place = |at: [f32; 2]| pen.camera.point(at).map(f64::from);
    let mut at = None;
    for ((from, stretch), to) in stretches(route).zip(route.iter().skip(1)) {
        let (left, top) = (from[0].min(to[0]), from[1].min(to[1]));
        if !meet([left, top, (from[0] - to[0]).abs(), (from[1] - to[1]).abs()], view) {
            continue;
        }
        if at != Some(from) {
            let [x, y] = place(from);
            pen.context.move_to(x, y);
        }
        at = Some(*to);
        let [x, y] = place(*to);
        match stretch {
            Stretch::Curve(one, two, _) if !straight => {
                let ([a, b], [c, d]) = (place(one), place(two));
                pen.context.bezier_curve_to(a, b, c, d, x, y);
            }
            Stretch::Line(_) | Stretch::Curve(..) => pen.context.line_to(x, y),
        }
    }
}

fn heads(pen: &Pen, edges: &[usize]) {
    pen.context.begin_path();
    for edge in edges.iter().filter_map(|at| pen.model().edges.get(*at)) {
        let Some(points) = arrowhead(&edge.route) else { continue };
        let [[a, b], [x, y], [c, d]] = points.map(|at| pen.camera.point(at).map(f64::from));
        pen.context.move_to(a, b);
        pen.context.line_to(x, y);
        pen.context.line_to(c, d);
    }
    pen.context.stroke();
}

/// Draws the labels of edges at their middles.
fn labels(pen: &Pen, scene: &Scene) {
    let edges = scene.strokes.values().flatten().filter_map(|at| pen.model().edges.get(*at));
    pen.alpha(1.0);
    pen.align("center");
    pen.mono(400, pen.scaled(11.0, 10.0));
    pen.stroke(Ink::Ground, 4.0);
    pen.fill(Ink::Muted);
    for (text, at) in edges.filter_map(|edge| Some((edge.label.as_ref()?, middle(&edge.route)?))) {
        let [x, y] = pen.camera.point(at).map(f64::from);
        let _ = pen.context.stroke_text(text, x, y - 4.0);
        let _ = pen.context.fill_text(text, x, y - 4.0);
    }
}

/// A short stretch that runs along an edge: `part` of the way behind it, from before its beginning (0) to its end (1).
pub(in crate::views::graph) fn pulse(pen: &Pen, edge: &Edge, part: f32) {
    let Some(action) = edge.knock_on else { return };
    const LONG: f32 = 0.18;
    let whole = length(&edge.route) * pen.camera.scale;
    pen.place(1.0, [0.0, 0.0]);
    pen.alpha(0.9);
    pen.context.set_line_cap("round");
    pen.stroke(Ink::Act(action), 4.0);
    pen.dash(&[whole * LONG, whole * 1.4]);
    pen.context.set_line_dash_offset(f64::from(whole * (LONG - part * (1.0 + LONG))));
    pen.context.begin_path();
    trace(pen, &edge.route, seen(pen), false);
    pen.context.stroke();
    pen.context.set_line_dash_offset(0.0);
    pen.dash(&[]);
}
