//! The server beside the page, if `planloom serve` opened it.

use std::rc::Rc;

use fetch::Obstacle;
use http::{Request, Response, StatusCode, header};
use protocol::TransportError;
use serde::Deserialize;
use state::terraform::TerraformOptions;
use ui::views::live::ApplyStatus;
use web::apply::message::Answer;
use workspace::view::codes::apply as codes;

use super::Inner;

/// A server's offer, as `planloom.serve/1`.
#[derive(Deserialize)]
struct Offered {
    /// Paths from its origin.
    adapters: Vec<String>,
    /// Below which path states are kept.
    #[serde(default)]
    state: Option<String>,
}

/// The server beside the page.
pub(super) struct Home {
    /// The token that authorizes the page.
    token: String,
    /// The address below which states are stored.
    states: Option<String>,
}

/// A page has a simulator of its own.
const OWN: &str = "simulator";

impl Inner {
    /// Reads the offer of the server beside the page, and connects its first adapter: the user who opened the page this
    /// way wants real resources, unless they have chosen the simulator since.
    pub(super) async fn connect_home(self: &Rc<Self>, token: String, simulates: bool) {
        let obstacle = match self.offered(&token).await {
            Ok(offered) => self.settle_in(token, offered, simulates).await,
            Err(obstacle) => {
                self.home.replace(Some(Home { token, states: None }));
                Some(obstacle)
            }
        };
        self.set(|live| {
            live.connecting = false;
            live.adapter = self.adapter_address();
            if let Some(Obstacle { what, help, .. }) = obstacle {
                live.adrift = Some(format!("{what} {help}"));
            }
        });
    }

    async fn settle_in(
        self: &Rc<Self>,
        token: String,
        offered: Offered,
        simulates: bool,
    ) -> Option<Obstacle> {
        let here = |path: &String| format!("{}{path}", self.host.network.origin());
        let states = offered.state.filter(|it| it.starts_with('/') && !it.starts_with("//"));
        self.home.replace(Some(Home { token, states: states.as_ref().map(here) }));
        let own = |path: &&String| path.starts_with("/adapters/") && ApplyStatus::short(path) != OWN;
        let adapters: Vec<String> = offered.adapters.iter().filter(own).map(here).collect();
        let first = adapters.first().filter(|_| !simulates).cloned();
        self.live.borrow_mut().offered = adapters;
        match first {
            Some(address) => self.use_first(&address).await,
            None => None,
        }
    }

    async fn use_first(self: &Rc<Self>, address: &str) -> Option<Obstacle> {
        match self.connect(address, "").await {
            Answer::Refused { what, help } => Some(Obstacle::new(codes::NOT_CONNECTED, what, help)),
            _ => None,
        }
    }

    async fn offered(&self, token: &str) -> Result<Offered, Obstacle> {
        let request = Request::get(format!("{}/adapters", self.host.network.origin()))
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::ACCEPT, "application/json")
            .body(Vec::new());
        let Ok(request) = request else { return Err(bad_link()) };
        read(self.host.network.transport().send(request).await)
    }

    /// The token for an address: the given one, or that of the home where it is there.
    pub(super) fn token(&self, address: &str, given: &str) -> String {
        let home = self.home.borrow();
        let known = home.as_ref().filter(|_| given.is_empty() && self.is_home(address));
        known.map_or_else(|| given.to_owned(), |home| home.token.clone())
    }

    /// The address of the state of a deployment on an adapter, if the server beside the page keeps it: all browsers
    /// there share it.
    pub(super) fn shared(&self, deployment: &str, adapter: &str) -> Option<TerraformOptions> {
        let home = self.home.borrow();
        let home = home.as_ref().filter(|_| self.is_home(adapter))?;
        let (name, kind) = (state_name(deployment), state_name(ApplyStatus::short(adapter)));
        let address = format!("{}/{name}.{kind}", home.states.as_ref()?);
        Some(TerraformOptions::at(address).bearer(&home.token))
    }

    /// The address of the adapter that is used; empty for the simulator.
    pub(super) fn adapter_address(&self) -> String {
        self.adapter.borrow().as_ref().map(|it| it.caller.base().to_owned()).unwrap_or_default()
    }

    fn is_home(&self, address: &str) -> bool {
        address.starts_with(&format!("{}/adapters/", self.host.network.origin()))
    }
}

/// A name as that of a served state: ASCII letters, digits and `-`; any other byte is escaped.
fn state_name(name: &str) -> String {
    let plain = |it: u8| it.is_ascii_alphanumeric() || it == b'-';
    let spell = |it: u8| if plain(it) { char::from(it).to_string() } else { format!("_{it:02x}") };
    name.bytes().map(spell).collect()
}

fn read(answer: Result<Response<Vec<u8>>, TransportError>) -> Result<Offered, Obstacle> {
    let answer = answer.map_err(|_| {
        Obstacle::new(
            codes::NOT_SERVED,
            "`planloom serve` does not respond.",
            "Start it again, and open the link that it prints.",
        )
    })?;
    match answer.status() {
        StatusCode::OK => serde_json::from_slice(answer.body()).map_err(|_| {
            Obstacle::new(
                codes::NOT_SERVED,
                "The response of this page’s server cannot be read.",
                "Check that page and server have the same version.",
            )
        }),
        StatusCode::UNAUTHORIZED => Err(bad_link()),
        status => {
            let what = format!("`planloom serve` responds with {status}.");
            Err(Obstacle::new(codes::NOT_SERVED, what, "Start it again, and open the link that it prints."))
        }
    }
}

fn bad_link() -> Obstacle {
    let help = "Open the link that it printed last.";
    Obstacle::new(codes::NOT_SERVED, "This page’s token is not that of `planloom serve`.", help)
}
