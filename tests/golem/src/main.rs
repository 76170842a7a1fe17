//! Starts a Golem network of one machine and keeps it until it is interrupted.

#![expect(clippy::print_stdout, reason = "what a program prints is its result")]

use std::{
    env,
    io::{self, Write},
    process::ExitCode,
    time::Duration,
};

use golem_network::{Network, Options, Settings};
use serde_json::json;
use tokio::{
    runtime::Builder,
    select,
    signal::unix::{SignalKind, signal},
};

const USAGE: &str =
    "Starts a Golem network of one machine: real daemons, simulated providers. Ctrl-C ends it.

Usage: golem-network [--providers N] [--hour PRICE] [--debit-notes SECONDS] [--json]

  --providers N          How many providers there are. Default: 3
  --hour PRICE           What an hour costs at most, with all threads busy. Default: 6.12
  --debit-notes SECONDS  How often a provider sends a debit note. Default: 120
  --json                 Print the addresses as JSON";

fn main() -> ExitCode {
    if env::args().skip(1).any(|it| it == "--help" || it == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let Some((options, json)) = arguments() else { return failed(USAGE) };
    let network = match Network::start(options) {
        Ok(network) => network,
        Err(why) => return failed(&why.to_string()),
    };
    print(&network, json);
    match wait() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => failed(&why.to_string()),
    }
}

/// The options of the network, and true if JSON is printed.
fn arguments() -> Option<(Options, bool)> {
    let (mut providers, mut hour, mut debit_notes, mut json) = (3, None, None, false);
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--providers" => providers = arguments.next()?.parse().ok()?,
            "--hour" => hour = Some(arguments.next()?.parse().ok().filter(|it: &f64| *it >= 0.0)?),
            "--debit-notes" => debit_notes = Some(Duration::from_secs(arguments.next()?.parse().ok()?)),
            "--json" => json = true,
            _ => return None,
        }
    }
    let mut options = Options::with_providers(providers);
    for settings in &mut options.providers {
        set_price(settings, hour);
        settings.offer.debit_notes = debit_notes.unwrap_or(settings.offer.debit_notes);
    }
    Some((options, json))
}

/// Sets the price of an hour with all threads busy, with the usual proportion of its parts; without one it stays.
fn set_price(settings: &mut Settings, hour: Option<f64>) {
    let offer = &mut settings.offer;
    if let Some(hour) = hour {
        let [second, processor, once] = offer.prices;
        let factor = hour / (3600.0 * f64::from(offer.threads).mul_add(processor, second));
        offer.prices = [second * factor, processor * factor, once];
    }
}

fn print(network: &Network, as_json: bool) {
    let (requestor, registry) = (network.requestor(), network.registry_url());
    let (url, key) = (&requestor.api_url, &requestor.app_key);
    if as_json {
        let identities: Vec<&str> = network.providers().iter().map(|it| it.identity()).collect();
        let identity = &requestor.identity;
        println!(
            "{}",
            json!({ "api_url": url, "app_key": key, "identity": identity, "registry_url": registry, "providers": identities })
        );
    } else {
        println!(
            "export YAGNA_API_URL={url}\nexport YAGNA_APPKEY={key}\nexport GOLEM_REGISTRY_URL={registry}"
        );
        println!("ready");
    }
    let _ = io::stdout().flush();
}

/// Returns at an interrupt or a termination.
fn wait() -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        Ok(())
    })
}

#[expect(clippy::print_stderr, reason = "what a program cannot do is said there")]
fn failed(why: &str) -> ExitCode {
    eprintln!("golem-network: {why}");
    ExitCode::FAILURE
}
