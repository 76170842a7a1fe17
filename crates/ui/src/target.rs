//! The target of an apply: the simulator, this machine, the Golem network, or the resources of an adapter at some
//! address.

use yew::prelude::*;

use crate::IconName;

/// The target of an apply. Simulated and real targets never have the same appearance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// The simulator of this browser: nothing real.
    #[default]
    Simulator,
    /// Real resources on this machine, through an adapter of `planloom serve`: the adapter's name.
    ThisMachine(AttrValue),
    /// Services that are rented from the Golem network, through `planloom serve`: they cost money.
    GolemNetwork,
    /// Real resources, through the adapter at this address.
    Adapter(AttrValue),
    /// `planloom serve` opened this page, and its offer is not known yet.
    Connecting,
    /// `planloom serve` opened this page and cannot be reached: nothing can be applied.
    Unreachable,
}

impl Target {
    /// True if an apply changes real resources.
    pub const fn is_real(&self) -> bool {
        matches!(self, Self::ThisMachine(_) | Self::GolemNetwork | Self::Adapter(_))
    }

    /// As the chip shows it.
    pub fn word(&self) -> AttrValue {
        match self {
            Self::Simulator => "simulator".into(),
            Self::ThisMachine(_) => "this machine".into(),
            Self::GolemNetwork => "Golem network".into(),
            Self::Adapter(address) => host(address).to_owned().into(),
            Self::Connecting => "connecting".into(),
            Self::Unreachable => "no target".into(),
        }
    }

    /// The target as a sentence.
    pub fn sentence(&self) -> String {
        match self {
            Self::Simulator => "Target: the simulator. Apply creates nothing real".into(),
            Self::ThisMachine(adapter) => {
                format!("Target: real resources on this machine, through the adapter {adapter}")
            }
            Self::GolemNetwork => {
                "Target: the Golem network, where services are rented and cost money".into()
            }
            Self::Adapter(address) => format!("Target: real resources, through the adapter at {address}"),
            Self::Connecting => "Target: connecting to planloom serve".into(),
            Self::Unreachable => "Target: none. planloom serve cannot be reached".into(),
        }
    }

    const fn class(&self) -> &'static str {
        match self {
            Self::Simulator => "target-simulated",
            Self::ThisMachine(_) | Self::GolemNetwork | Self::Adapter(_) => "target-real",
            Self::Connecting => "target-simulated",
            Self::Unreachable => "target-none",
        }
    }
}

/// An address without its scheme and path.
fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest)
}

/// The chip of the target.
pub fn target_chip(target: &Target, onclick: Callback<MouseEvent>) -> Html {
    let said = target.sentence();
    html! {
        <button type="button" class={classes!("chip", "chip-target", target.class())} title={said.clone()} {onclick}>
            <span class="chip-signs" aria-hidden="true">{ signs(target) }</span>
            <span class="visually-hidden">{ said }</span>
        </button>
    }
}

/// The banner of a dialog that applies or destroys.
pub fn target_banner(target: &Target) -> Html {
    let words = match target {
        Target::Simulator => "Simulated: nothing real is created, changed or destroyed.".to_owned(),
        Target::ThisMachine(adapter) => {
            format!("Real: this changes resources on this machine, through {adapter}.")
        }
        Target::GolemNetwork => {
            "Real: this rents from the Golem network, for money, within the budget of planloom serve."
                .to_owned()
        }
        Target::Adapter(address) => format!("Real: this changes resources through {address}."),
        Target::Connecting => "Connecting to planloom serve.".to_owned(),
        Target::Unreachable => "Nothing can be applied: planloom serve cannot be reached.".to_owned(),
    };
    html! { <p class={classes!("target-banner", target.class())}>{ icon(target).html() }<span>{ words }</span></p> }
}

fn signs(target: &Target) -> Html {
    html! {
        <>
            { icon(target).html() }
            if target.is_real() { <strong class="target-tag">{ "real" }</strong> }
            <span class="chip-word">{ target.word() }</span>
        </>
    }
}

const fn icon(target: &Target) -> IconName {
    match target {
        Target::Simulator => IconName::Flask,
        Target::ThisMachine(_) | Target::GolemNetwork | Target::Adapter(_) => IconName::Server,
        Target::Connecting => IconName::Server,
        Target::Unreachable => IconName::Warning,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_named_by_its_host() {
        for (address, word) in [
            ("https://adapters.example:8443/process", "adapters.example:8443"),
            ("http://127.0.0.1:7070", "127.0.0.1:7070"),
        ] {
            assert_eq!(Target::Adapter(address.into()).word(), word);
        }
    }

    #[test]
    fn only_adapters_are_real() {
        let process = Target::ThisMachine("process".into());
        let real = [process, Target::GolemNetwork, Target::Adapter("https://a.example".into())];
        assert!(real.iter().all(Target::is_real));
        assert!(!Target::Simulator.is_real() && !Target::Unreachable.is_real());
    }
}
