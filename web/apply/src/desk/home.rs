//! What is served beside the page, where `planloom serve` opened it.

use http::{Request, Response, StatusCode, header};
use protocol::Lost;
use serde::Deserialize;
use ui::views::live::Live;
use web::apply::message::Answer;

use super::Inner;
use crate::probe::{Obstacle, obstacle};

/// What a server offers, as `planloom.serve/1`.
#[derive(Deserialize)]
struct Offered {
    /// Paths from its origin.
    adapters: Vec<String>,
}

/// A page has a simulator of its own.
const OWN: &str = "simulator";

impl Inner {
    /// Learns what is served beside the page, and uses the first: who opened the page this way wants real things.
    pub(super) async fn come_home(self: &std::rc::Rc<Self>, token: String) {
        let offered = self.offered(&token).await;
        self.home.replace(Some(token));
        let obstacle = match offered {
            Ok(offered) => {
                let first = offered.first().cloned();
                self.live.borrow_mut().offered = offered;
                match first {
                    Some(address) => self.use_first(&address).await,
                    None => None,
                }
            }
            Err(obstacle) => Some(obstacle),
        };
        if let Some(Obstacle { what, help }) = obstacle {
            self.set(|live| live.adrift = Some(format!("{what} {help}")));
        }
    }

    async fn use_first(self: &std::rc::Rc<Self>, address: &str) -> Option<Obstacle> {
        match self.connect(address, "").await {
            Answer::Refused { what, help } => Some(Obstacle { what, help }),
            _ => None,
        }
    }

    async fn offered(&self, token: &str) -> Result<Vec<String>, Obstacle> {
        let origin = self.host.network.origin();
        let request = Request::get(format!("{origin}/adapters"))
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::ACCEPT, "application/json")
            .body(Vec::new());
        let Ok(request) = request else { return Err(bad_link()) };
        let answer = self.host.network.transport().send(request).await;
        let paths = read(answer)?.adapters.into_iter();
        let own = |path: &String| path.starts_with("/adapters/") && Live::short(path) != OWN;
        Ok(paths.filter(own).map(|path| format!("{origin}{path}")).collect())
    }

    /// The token for an address: the given one, or that of the home where it is there.
    pub(super) fn token(&self, address: &str, given: &str) -> String {
        let home = format!("{}/adapters/", self.host.network.origin());
        let known = self.home.borrow().clone().filter(|_| given.is_empty() && address.starts_with(&home));
        known.unwrap_or_else(|| given.to_owned())
    }
}

fn read(answer: Result<Response<Vec<u8>>, Lost>) -> Result<Offered, Obstacle> {
    let answer = answer.map_err(|_| {
        obstacle("`planloom serve` does not answer.", "Start it again, and open the link that it prints.")
    })?;
    match answer.status() {
        StatusCode::OK => serde_json::from_slice(answer.body()).map_err(|_| {
            obstacle("What is served beside this page cannot be read.", "Is it another version?")
        }),
        StatusCode::UNAUTHORIZED => Err(bad_link()),
        status => {
            let what = format!("`planloom serve` answers {status}.");
            Err(obstacle(&what, "Start it again, and open the link that it prints."))
        }
    }
}

fn bad_link() -> Obstacle {
    let help = "Open the link that it printed last.";
    obstacle("This page’s token is not that of `planloom serve`.", help)
}
