//! The retry and orphan matrix, row by row.

use adapter::{Fault, OrderEffect};
use futures_util::future::join_all;
use planloom_host::run;
use protocol::{Code, Problem};

use super::cells::{
    self, Column, EVER, Trial,
    Wrong::{self, *},
};

/// One row: the fault, and the result in each column; `""` if the row does not apply.
struct Row {
    id: &'static str,
    trial: Trial,
    create: &'static str,
    update: &'static str,
    destroy: &'static str,
    read: &'static str,
}

fn row(id: &'static str, trial: Trial, expected: [&'static str; 4]) -> Row {
    let [create, update, destroy, read] = expected;
    Row { id, trial, create, update, destroy, read }
}

fn one(wrong: Wrong) -> Trial {
    Trial { wrong: vec![wrong], ..Trial::default() }
}

fn hasty(wrong: Wrong) -> Trial {
    Trial { hasty: true, ..one(wrong) }
}

fn short(wrong: Wrong) -> Trial {
    Trial { short: true, loose: true, ..one(wrong) }
}

fn says(code: Code) -> Trial {
    one(Says(EVER, Problem::new(code, "no")))
}

fn status(code: u16) -> Fault {
    Fault::Status { code, retry_after: None }
}

fn ruin(status: u16) -> Problem {
    Problem { status, resource_usable: Some(false), ..Problem::new(Code::InvalidSpec, "half made") }
}

fn pending() -> Problem {
    Problem::new(Code::OperationPending, "somebody is at it")
}

const RESET: Fault = Fault::Reset { after: 0 };

fn well() -> Vec<Row> {
    vec![
        row(
            "2xx",
            Trial::default(),
            [
                "done; create made; there 0; active 0; settled; 1x",
                "done; update changed; there 1; active 1; settled; 1x",
                "done; destroy destroyed; gone; unrecorded; settled; 1x",
                "seen; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "202",
            Trial { slow: Some(60), ..Trial::default() },
            [
                "done; create made; there 0; active 0; settled; 1x",
                "done; update changed; there 1; active 1; settled; 1x",
                "done; destroy destroyed; gone; unrecorded; settled; 1x",
                "seen; -; there 0; active 0; settled; 1r",
            ],
        ),
    ]
}

fn malformed() -> Vec<Row> {
    vec![
        row(
            "2xx-cut-off",
            one(After(1, Fault::Malformed)),
            [
                "done; create made; there 0; active 0; settled; 1x",
                "done; update changed; there 1; active 1; settled; 1x",
                "done; destroy destroyed; gone; unrecorded; settled; 1x",
                "error engine/adapter-contract; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "2xx-cut-off-always",
            one(After(EVER, Fault::Malformed)),
            [
                "done; create made; there 0; active 0; settled; 1x",
                "done; update changed; there 1; active 1; settled; 1x",
                "done; destroy destroyed; gone; unrecorded; settled; 1x",
                "error engine/adapter-contract; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "2xx-html",
            one(After(1, Fault::WrongType)),
            [
                "done; create made; there 0; active 0; settled; 1x",
                "done; update changed; there 1; active 1; settled; 1x",
                "done; destroy destroyed; gone; unrecorded; settled; 1x",
                "error engine/adapter-contract; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "2xx-html-not-done",
            one(Before(1, Fault::WrongType)),
            [
                "done; create made; there 0; active 0; settled; 2x",
                "done; update changed; there 1; active 1; settled; 2x",
                "done; destroy destroyed; gone; unrecorded; settled; 2x",
                "error engine/adapter-contract; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "2xx-other-id",
            one(After(1, Fault::OtherId)),
            [
                "done; create made; there 0; active 0; settled; 1x",
                "done; update changed; there 1; active 1; settled; 1x",
                "done; destroy destroyed; gone; unrecorded; settled; 1x",
                "error engine/adapter-contract; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "2xx-too-long",
            one(After(1, Fault::Huge)),
            [
                "done; create made; there 0; active 0; settled; 1x",
                "done; update changed; there 1; active 1; settled; 1x",
                "done; destroy destroyed; gone; unrecorded; settled; 1x",
                "error engine/adapter-contract; -; there 0; active 0; settled; 1r",
            ],
        ),
    ]
}

fn refused() -> Vec<Row> {
    vec![
        row(
            "400",
            says(Code::BadRequest),
            [
                "failed adapter/bad_request; -; gone; unrecorded; settled; 1x",
                "failed adapter/bad_request; -; there 0; active 0; settled; 1x",
                "failed adapter/bad_request; -; there 0; active 0; settled; 1x",
                "error adapter/bad_request; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "403",
            says(Code::Forbidden),
            [
                "failed adapter/forbidden; -; gone; unrecorded; settled; 1x",
                "failed adapter/forbidden; -; there 0; active 0; settled; 1x",
                "failed adapter/forbidden; -; there 0; active 0; settled; 1x",
                "error adapter/forbidden; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "422",
            says(Code::InvalidSpec),
            [
                "failed adapter/invalid_spec; -; gone; unrecorded; settled; 1x",
                "failed adapter/invalid_spec; -; there 0; active 0; settled; 1x",
                "failed adapter/invalid_spec; -; there 0; active 0; settled; 1x",
                "error adapter/invalid_spec; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "422-real",
            one(Order(OrderEffect::Fail(Problem::new(Code::InvalidSpec, "no")))),
            [
                "failed adapter/invalid_spec; create invalid_spec; gone; unrecorded; settled; 1x",
                "failed adapter/invalid_spec; update invalid_spec; there 0; active 0; settled; 1x",
                "failed adapter/invalid_spec; destroy invalid_spec; there 0; active 0; settled; 1x",
                "error adapter/invalid_spec; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "307",
            one(Before(EVER, Fault::Redirect { to: "http://127.0.0.1:9/".into() })),
            [
                "failed adapter/redirected; -; gone; unrecorded; settled; 1x",
                "failed adapter/redirected; -; there 0; active 0; settled; 1x",
                "failed adapter/redirected; -; there 0; active 0; settled; 1x",
                "error adapter/redirected; -; there 0; active 0; settled; 1r",
            ],
        ),
    ]
}

fn unauthorized() -> Vec<Row> {
    let wrong = || Says(1, Problem::new(Code::Unauthorized, "who are you"));
    vec![
        row(
            "401",
            says(Code::Unauthorized),
            [
                "failed adapter/unauthorized; -; gone; unrecorded; settled; 1x",
                "failed adapter/unauthorized; -; there 0; active 0; settled; 1x",
                "failed adapter/unauthorized; -; there 0; active 0; settled; 1x",
                "error adapter/unauthorized; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "401-renewed",
            Trial { renews: true, ..one(wrong()) },
            [
                "done; create made; there 0; active 0; settled; 2x",
                "done; update changed; there 1; active 1; settled; 2x",
                "done; destroy destroyed; gone; unrecorded; settled; 2x",
                "seen; -; there 0; active 0; settled; 2r",
            ],
        ),
        row(
            "401-after-reset",
            Trial {
                wrong: vec![Before(1, RESET), Second(Problem::new(Code::Unauthorized, "who are you"))],
                ..Trial::default()
            },
            [
                "failed engine/unknown; -; gone; unrecorded; open; 2x",
                "failed engine/unknown; -; there 0; active 0; open; 2x",
                "failed engine/unknown; -; there 0; active 0; open; 2x",
                "error adapter/unauthorized; -; there 0; active 0; settled; 2r",
            ],
        ),
    ]
}

fn absent() -> Vec<Row> {
    vec![
        row(
            "404",
            one(Vanishes(Problem::new(Code::NotFound, "no"))),
            [
                "failed engine/gone; -; gone; unrecorded; settled; 1x",
                "failed engine/gone; -; gone; active 0; settled; 1x",
                "done; -; gone; unrecorded; settled; 1x",
                "plans create; -; gone; active 0; settled; 1r",
            ],
        ),
        row(
            "410",
            one(Vanishes(Problem::new(Code::Gone, "no more"))),
            [
                "failed engine/gone; -; gone; unrecorded; settled; 1x",
                "failed engine/gone; -; gone; active 0; settled; 1x",
                "done; -; gone; unrecorded; settled; 1x",
                "plans create; -; gone; active 0; settled; 1r",
            ],
        ),
    ]
}

fn busy() -> Vec<Row> {
    vec![
        row(
            "408",
            one(Before(1, status(408))),
            [
                "done; create made; there 0; active 0; settled; 2x",
                "done; update changed; there 1; active 1; settled; 2x",
                "done; destroy destroyed; gone; unrecorded; settled; 2x",
                "seen; -; there 0; active 0; settled; 2r",
            ],
        ),
        row(
            "429",
            one(Before(2, status(429))),
            [
                "done; create made; there 0; active 0; settled; 3x",
                "done; update changed; there 1; active 1; settled; 3x",
                "done; destroy destroyed; gone; unrecorded; settled; 3x",
                "seen; -; there 0; active 0; settled; 3r",
            ],
        ),
        row(
            "503",
            one(Before(2, status(503))),
            [
                "done; create made; there 0; active 0; settled; 3x",
                "done; update changed; there 1; active 1; settled; 3x",
                "done; destroy destroyed; gone; unrecorded; settled; 3x",
                "seen; -; there 0; active 0; settled; 3r",
            ],
        ),
        row(
            "503-always",
            one(Before(EVER, status(503))),
            [
                "failed adapter/unavailable; -; gone; unrecorded; settled; 3x",
                "failed adapter/unavailable; -; there 0; active 0; settled; 3x",
                "failed adapter/unavailable; -; there 0; active 0; settled; 3x",
                "error adapter/unavailable; -; there 0; active 0; settled; 3r",
            ],
        ),
        row(
            "507",
            one(Before(EVER, status(507))),
            [
                "failed adapter/not_recorded; -; gone; unrecorded; settled; 1x",
                "failed adapter/not_recorded; -; there 0; active 0; settled; 1x",
                "failed adapter/not_recorded; -; there 0; active 0; settled; 1x",
                "error adapter/not_recorded; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "503-retry-after-0",
            one(Later(4, 503, 0)),
            [
                "done; create made; there 0; active 0; settled; 5x",
                "done; update changed; there 1; active 1; settled; 5x",
                "done; destroy destroyed; gone; unrecorded; settled; 5x",
                "error adapter/503; -; there 0; active 0; settled; 3r",
            ],
        ),
        row(
            "429-retry-after-1",
            one(Later(1, 429, 1)),
            [
                "done; create made; there 0; active 0; settled; 2x",
                "done; update changed; there 1; active 1; settled; 2x",
                "done; destroy destroyed; gone; unrecorded; settled; 2x",
                "seen; -; there 0; active 0; settled; 2r",
            ],
        ),
        row(
            "429-retry-after-0-always",
            short(Later(EVER, 429, 0)),
            [
                "failed adapter/429; -; gone; unrecorded; settled; many",
                "failed adapter/429; -; there 0; active 0; settled; many",
                "failed adapter/429; -; there 0; active 0; settled; many",
                "error adapter/429; -; there 0; active 0; settled; 3r",
            ],
        ),
        row(
            "429-retry-after-1h",
            one(Later(EVER, 429, 3600)),
            [
                "failed adapter/429; -; gone; unrecorded; settled; 1x",
                "failed adapter/429; -; there 0; active 0; settled; 1x",
                "failed adapter/429; -; there 0; active 0; settled; 1x",
                "error adapter/429; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "503-after-reset",
            Trial { wrong: vec![Before(1, RESET), Before(EVER, status(503))], ..Trial::default() },
            [
                "failed engine/unknown; -; gone; unrecorded; open; 3x",
                "failed engine/unknown; -; there 0; active 0; open; 3x",
                "failed engine/unknown; -; there 0; active 0; open; 3x",
                "error adapter/unavailable; -; there 0; active 0; settled; 3r",
            ],
        ),
    ]
}

fn conflicts() -> Vec<Row> {
    let rebuild = || says(Code::RebuildRequired);
    vec![
        row(
            "409-pending",
            one(Says(1, pending())),
            [
                "done; create made; there 0; active 0; settled; 2x",
                "done; update changed; there 1; active 1; settled; 2x",
                "done; destroy destroyed; gone; unrecorded; settled; 2x",
                "seen; -; there 0; active 0; settled; 2r",
            ],
        ),
        row(
            "409-pending-always",
            short(Says(EVER, pending())),
            [
                "failed engine/unknown; -; gone; unrecorded; open; many",
                "failed engine/unknown; -; there 0; active 0; open; many",
                "failed engine/unknown; -; there 0; active 0; open; many",
                "error adapter/operation_pending; -; there 0; active 0; settled; 3r",
            ],
        ),
        row(
            "409-pending-lost-op",
            one(Says(1, Problem { op: Some("lost".into()), ..pending() })),
            [
                "done; create made; there 0; active 0; settled; 2x",
                "done; update changed; there 1; active 1; settled; 2x",
                "done; destroy destroyed; gone; unrecorded; settled; 2x",
                "seen; -; there 0; active 0; settled; 2r",
            ],
        ),
        row(
            "409-pending-own",
            Trial { slow: Some(400), loose: true, ..one(After(1, Fault::Malformed)) },
            [
                "done; create made; there 0; active 0; settled; 1x",
                "done; update changed; there 1; active 1; settled; many",
                "done; destroy destroyed; gone; unrecorded; settled; many",
                "error engine/adapter-contract; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "409-rebuild",
            rebuild(),
            [
                "failed adapter/rebuild_required; -; gone; unrecorded; settled; 1x",
                "failed adapter/rebuild_required; -; there 0; active 0; settled; 1x",
                "failed adapter/rebuild_required; -; there 0; active 0; settled; 1x",
                "error engine/adapter-contract; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "409-rebuild-allowed",
            Trial { allow_rebuild: true, ..rebuild() },
            [
                "failed adapter/rebuild_required; -; gone; unrecorded; settled; 1x",
                "done; destroy destroyed+create made; there 1; active 1; settled; 1x+1x+1x",
                "failed adapter/rebuild_required; -; there 0; active 0; settled; 1x",
                "error engine/adapter-contract; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "409-differs",
            says(Code::ExistsDifferently),
            [
                "failed adapter/exists_differently; -; gone; unrecorded; settled; 1x",
                "failed adapter/exists_differently; -; there 0; active 0; settled; 1x",
                "failed adapter/exists_differently; -; there 0; active 0; settled; 1x",
                "error engine/adapter-contract; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "412",
            says(Code::Stale),
            [
                "failed adapter/stale; -; gone; unrecorded; settled; 1x",
                "failed adapter/stale; -; there 0; active 0; settled; 1x",
                "failed adapter/stale; -; there 0; active 0; settled; 1x",
                "error engine/adapter-contract; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "412-own",
            Trial {
                wrong: vec![After(1, RESET), OldRead, Second(Problem::new(Code::Stale, "no"))],
                ..Trial::default()
            },
            [
                "done; create made; there 0; active 0; settled; 2x",
                "done; update changed; there 1; active 1; settled; 2x",
                "done; destroy destroyed; gone; unrecorded; settled; 1x",
                "seen; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "412-version",
            says(Code::UnsupportedProtocol),
            [
                "failed adapter/unsupported_protocol; -; gone; unrecorded; settled; 1x",
                "failed adapter/unsupported_protocol; -; there 0; active 0; settled; 1x",
                "failed adapter/unsupported_protocol; -; there 0; active 0; settled; 1x",
                "error adapter/unsupported_protocol; -; there 0; active 0; settled; 1r",
            ],
        ),
    ]
}

fn failures() -> Vec<Row> {
    vec![
        row(
            "500-before",
            one(Before(1, status(500))),
            [
                "done; create made; there 0; active 0; settled; 2x",
                "done; update changed; there 1; active 1; settled; 2x",
                "done; destroy destroyed; gone; unrecorded; settled; 2x",
                "seen; -; there 0; active 0; settled; 2r",
            ],
        ),
        row(
            "500-after",
            one(After(1, status(500))),
            [
                "done; create made; there 0; active 0; settled; 1x",
                "done; update changed; there 1; active 1; settled; 1x",
                "done; destroy destroyed; gone; unrecorded; settled; 1x",
                "seen; -; there 0; active 0; settled; 2r",
            ],
        ),
        row(
            "502-always",
            one(Before(EVER, status(502))),
            [
                "failed engine/unknown; -; gone; unrecorded; open; 3x",
                "failed engine/unknown; -; there 0; active 0; open; 3x",
                "failed engine/unknown; -; there 0; active 0; open; 3x",
                "error engine/unreachable; -; there 0; active 0; settled; 3r",
            ],
        ),
        row(
            "timeout-before",
            hasty(Before(1, Fault::Silence)),
            [
                "done; create made; there 0; active 0; settled; 2x",
                "done; update changed; there 1; active 1; settled; 2x",
                "done; destroy destroyed; gone; unrecorded; settled; 2x",
                "seen; -; there 0; active 0; settled; 2r",
            ],
        ),
        row(
            "timeout-after",
            hasty(After(1, Fault::Silence)),
            [
                "done; create made; there 0; active 0; settled; 1x",
                "done; update changed; there 1; active 1; settled; 1x",
                "done; destroy destroyed; gone; unrecorded; settled; 1x",
                "seen; -; there 0; active 0; settled; 2r",
            ],
        ),
        row(
            "reset-before",
            one(Before(1, RESET)),
            [
                "done; create made; there 0; active 0; settled; 2x",
                "done; update changed; there 1; active 1; settled; 2x",
                "done; destroy destroyed; gone; unrecorded; settled; 2x",
                "seen; -; there 0; active 0; settled; 2r",
            ],
        ),
        row(
            "reset-after",
            one(After(1, RESET)),
            [
                "done; create made; there 0; active 0; settled; 1x",
                "done; update changed; there 1; active 1; settled; 1x",
                "done; destroy destroyed; gone; unrecorded; settled; 1x",
                "seen; -; there 0; active 0; settled; 2r",
            ],
        ),
        row(
            "reset-mid-reply",
            one(After(1, Fault::Reset { after: 5 })),
            [
                "done; create made; there 0; active 0; settled; 1x",
                "done; update changed; there 1; active 1; settled; 1x",
                "done; destroy destroyed; gone; unrecorded; settled; 1x",
                "seen; -; there 0; active 0; settled; 2r",
            ],
        ),
        row(
            "reset-always",
            one(Before(EVER, RESET)),
            [
                "failed engine/unknown; -; gone; unrecorded; open; 3x",
                "failed engine/unknown; -; there 0; active 0; open; 3x",
                "failed engine/unknown; -; there 0; active 0; open; 3x",
                "error engine/unreachable; -; there 0; active 0; settled; 3r",
            ],
        ),
        row(
            "reset-after-no-reads",
            Trial { wrong: vec![After(1, RESET), NoReads], ..Trial::default() },
            [
                "failed engine/unknown; create made; there 0; unrecorded; open; 1x",
                "failed engine/unknown; update changed; there 1; active 0; open; 1x",
                "failed engine/unknown; destroy destroyed; gone; active 0; open; 1x",
                "error engine/unreachable; -; there 0; active 0; settled; 3r",
            ],
        ),
        row(
            "refused-once",
            one(Closed(1)),
            [
                "done; create made; there 0; active 0; settled; 2x",
                "done; update changed; there 1; active 1; settled; 2x",
                "done; destroy destroyed; gone; unrecorded; settled; 2x",
                "seen; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "refused-always",
            one(Closed(EVER)),
            [
                "failed engine/unreachable; -; gone; unrecorded; settled; 3x",
                "failed engine/unreachable; -; there 0; active 0; settled; 3x",
                "failed engine/unreachable; -; there 0; active 0; settled; 3x",
                "error engine/unreachable; -; there 0; active 0; settled; 0r",
            ],
        ),
    ]
}

fn ruins() -> Vec<Row> {
    let late = |what: OrderEffect| Trial { slow: Some(40), ..one(Order(what)) };
    vec![
        row(
            "op-unusable",
            late(OrderEffect::FailAfter(ruin(422))),
            [
                "failed engine/unusable; create made; there 0; pending 0 tainted; settled; 1x",
                "failed engine/unusable; update changed; there 1; pending 1 tainted; settled; 1x",
                "failed engine/unusable; destroy destroyed; gone; active 0; settled; 1x",
                "error adapter/invalid_spec; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "422-unusable",
            one(Order(OrderEffect::FailAfter(ruin(422)))),
            [
                "failed engine/unusable; create made; there 0; pending 0 tainted; settled; 1x",
                "failed engine/unusable; update changed; there 1; pending 1 tainted; settled; 1x",
                "failed engine/unusable; destroy destroyed; gone; active 0; settled; 1x",
                "error adapter/invalid_spec; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "500-unusable",
            one(Order(OrderEffect::FailAfter(ruin(500)))),
            [
                "failed engine/unusable; create made; there 0; pending 0 tainted; settled; 1x",
                "failed engine/unusable; update changed; there 1; pending 1 tainted; settled; 1x",
                "failed engine/unusable; destroy destroyed; gone; active 0; settled; 1x",
                "error engine/unreachable; -; there 0; active 0; settled; 3r",
            ],
        ),
        row(
            "op-422",
            late(OrderEffect::Fail(Problem::new(Code::InvalidSpec, "no"))),
            [
                "failed adapter/invalid_spec; create invalid_spec; gone; unrecorded; settled; 1x",
                "failed adapter/invalid_spec; update invalid_spec; there 0; active 0; settled; 1x",
                "failed adapter/invalid_spec; destroy invalid_spec; there 0; active 0; settled; 1x",
                "error adapter/invalid_spec; -; there 0; active 0; settled; 1r",
            ],
        ),
        row(
            "op-500",
            late(OrderEffect::Fail(Problem::new(Code::Internal, "no"))),
            [
                "failed engine/unknown; create internal+create internal+create internal; gone; unrecorded; open; 3x",
                "failed engine/unknown; update internal+update internal+update internal; there 0; active 0; open; 3x",
                "failed engine/unknown; destroy internal+destroy internal+destroy internal; there 0; active 0; open; 3x",
                "error engine/unreachable; -; there 0; active 0; settled; 3r",
            ],
        ),
        row(
            "op-500-done",
            late(OrderEffect::FailAfter(Problem::new(Code::Internal, "no"))),
            [
                "done; create made; there 0; active 0; settled; 1x",
                "failed adapter/stale; update changed; there 1; active 0; settled; 2x; then recorded 0",
                "done; destroy destroyed; gone; unrecorded; settled; 1x",
                "error engine/unreachable; -; there 0; active 0; settled; 3r",
            ],
        ),
    ]
}

/// Runs all cells of some rows at the same time, and compares.
fn check(rows: Vec<Row>) {
    let columns = |row: &Row| {
        [
            (Column::Create, row.create),
            (Column::Update, row.update),
            (Column::Destroy, row.destroy),
            (Column::Read, row.read),
        ]
    };
    let outcomes = run(join_all(rows.iter().flat_map(|row| {
        columns(row).map(|(column, expected)| async move {
            let got = cells::run(column, &row.trial).await;
            (format!("{:?} {}", column, row.id), got, expected)
        })
    })))
    .unwrap();
    let differs: Vec<String> = outcomes
        .iter()
        .filter(|(_, got, expected)| got != expected)
        .map(|(cell, got, expected)| format!("{cell}\n   is {got}\n  not {expected}"))
        .collect();
    assert!(differs.is_empty(), "\n{}", differs.join("\n"));
}

#[test]
fn rows_2xx() {
    check(well());
}

#[test]
fn rows_2xx_malformed() {
    check(malformed());
}

#[test]
fn rows_400_403_422() {
    check(refused());
}

#[test]
fn rows_401() {
    check(unauthorized());
}

#[test]
fn rows_404_410() {
    check(absent());
}

#[test]
fn rows_408_429_503() {
    check(busy());
}

#[test]
fn rows_409_412() {
    check(conflicts());
}

#[test]
fn rows_5xx_timeout_drop() {
    check(failures());
}

#[test]
fn rows_resource_unusable() {
    check(ruins());
}
