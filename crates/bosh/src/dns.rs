//! Names that BOSH's DNS gives to instances and groups.

use std::fmt::Write;

use diag::order;

use crate::value::is_open;

/// The reason why a name cannot be part of a DNS name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLabel {
    /// The label that the name gives.
    pub label: String,
    /// True if it starts with a hyphen; otherwise it ends with one.
    pub at_start: bool,
}

impl BadLabel {
    /// The director's message.
    pub fn director(&self) -> String {
        let does = if self.at_start { "start" } else { "end" };
        format!("Invalid DNS canonical name '{}', cannot {does} with a hyphen", self.label)
    }
}

/// A name as part of a DNS name: lower case, `_` as `-`, with letters, digits and hyphens only.
///
/// A name that is filled in later (`((name))`) is not changed.
///
/// # Errors
/// If the label would begin or end with a hyphen.
pub fn label(name: &str) -> Result<String, BadLabel> {
    if is_open(name) {
        return Ok(name.to_owned());
    }
    let lower = name.chars().flat_map(char::to_lowercase).map(|c| if c == '_' { '-' } else { c });
    let label: String = lower.filter(|c| matches!(c, 'a'..='z' | '0'..='9' | '-')).collect();
    if label.starts_with('-') {
        Err(BadLabel { label, at_start: true })
    } else if label.ends_with('-') {
        Err(BadLabel { label, at_start: false })
    } else {
        Ok(label)
    }
}

/// The domain of a group in one network: the part of a name that does not depend on the query.
#[derive(Clone, Copy, Debug)]
pub struct GroupDomain<'a> {
    /// The instance group, as a [`label`].
    pub group: &'a str,
    /// The network, as a label.
    pub network: &'a str,
    /// The deployment, as a label.
    pub deployment: &'a str,
    /// The domain, `bosh` by default.
    pub domain: &'a str,
}

impl GroupDomain<'_> {
    /// The name of one instance: `<id>.web.private.shop.bosh`.
    pub fn of_instance(&self, id: &str) -> String {
        format!("{id}.{}.{}.{}.{}", self.group, self.network, self.deployment, self.domain)
    }

    /// The name of the instances that meet criteria: `q-s0.web.private.shop.bosh`.
    pub fn of_query(&self, criteria: &Criteria) -> String {
        self.of_instance(&format!("q-{}", criteria.slug()))
    }
}

/// The instances of a group that a name refers to. Zones, networks and instances are given as the director's
/// numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Criteria {
    /// Instances in one of these zones; all if empty.
    pub azs: Vec<u32>,
    /// This instance; only in short names.
    pub instance: Option<u32>,
    /// Instances in this network; only in short names.
    pub network: Option<u32>,
    /// The time of the first check of the health, before or after the first answer; `None` if it is not given.
    pub initial_health_check: Option<HealthCheck>,
    /// The state of health.
    pub status: Status,
}

/// The time of the first check of the health of the instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HealthCheck {
    /// After the first answer.
    Asynchronous,
    /// Before the first answer.
    Synchronous,
}

/// The state of health of the instances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// Healthy instances, or all if none is.
    #[default]
    Default,
    /// Unhealthy instances.
    Unhealthy,
    /// Healthy instances.
    Healthy,
    /// All instances.
    All,
}

impl Status {
    /// The status with a name; an unknown name is the default.
    pub fn named(name: &str) -> Self {
        match name {
            "unhealthy" => Self::Unhealthy,
            "healthy" => Self::Healthy,
            "all" => Self::All,
            _ => Self::Default,
        }
    }

    const fn code(self) -> u32 {
        match self {
            Self::Default => 0,
            Self::Unhealthy => 1,
            Self::Healthy => 3,
            Self::All => 4,
        }
    }
}

impl Criteria {
    /// The criteria as they are written in a name: `a1a2s3`. The parts are sorted as text, so zone 10 comes
    /// before zone 2.
    pub fn slug(&self) -> String {
        let mut parts: Vec<String> = self.azs.iter().map(|it| format!("a{it}")).collect();
        parts.extend(self.instance.map(|it| format!("m{it}")));
        parts.extend(self.network.map(|it| format!("n{it}")));
        parts.extend(self.initial_health_check.map(|it| format!("y{}", it as u32)));
        parts.push(format!("s{}", self.status.code()));
        order::by(&mut parts, |a, b| a.cmp(b));
        parts.concat()
    }

    /// The address of a group (`q-s0.web.private.shop.bosh`) for these criteria; `None` for other addresses.
    pub fn apply(&self, address: &str) -> Option<String> {
        let (query, rest) = address.split_once('.')?;
        let mut requested = String::new();
        query.strip_prefix("q-").filter(|it| !it.starts_with('g'))?;
        write!(requested, "q-{}.{rest}", self.slug()).ok()?;
        Some(requested)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_canonical() {
        for (name, expected) in [
            ("web", "web"),
            ("My_Store.1", "my-store1"),
            ("a b/c", "abc"),
            ("((name))-x", "((name))-x"),
            ("K", "k"),
            ("", ""),
        ] {
            assert_eq!(label(name).as_deref(), Ok(expected), "{name}");
        }
        let reported = |name| label(name).err().map(|it| it.director());
        assert_eq!(
            reported("_x").as_deref(),
            Some("Invalid DNS canonical name '-x', cannot start with a hyphen")
        );
        assert_eq!(
            reported("X_").as_deref(),
            Some("Invalid DNS canonical name 'x-', cannot end with a hyphen")
        );
    }

    #[test]
    fn criteria_are_sorted_as_text() {
        let criteria = |azs: &[u32], status| Criteria { azs: azs.to_vec(), status, ..Criteria::default() };
        assert_eq!(Criteria::default().slug(), "s0");
        assert_eq!(criteria(&[2, 1], Status::Healthy).slug(), "a1a2s3");
        assert_eq!(criteria(&[2, 10], Status::named("all")).slug(), "a10a2s4");
        let all = Criteria {
            instance: Some(5),
            network: Some(7),
            initial_health_check: Some(HealthCheck::Synchronous),
            ..criteria(&[1], Status::named("what"))
        };
        assert_eq!(all.slug(), "a1m5n7s0y1");
    }

    #[test]
    fn the_address_of_a_group_can_select_instances() {
        let place = GroupDomain { group: "web", network: "private", deployment: "shop", domain: "bosh" };
        let address = place.of_query(&Criteria::default());
        assert_eq!(address, "q-s0.web.private.shop.bosh");
        let healthy = Criteria { azs: vec![1], status: Status::Healthy, ..Criteria::default() };
        assert_eq!(healthy.apply(&address).as_deref(), Some("q-a1s3.web.private.shop.bosh"));
        assert_eq!(healthy.apply("10.0.0.4"), None);
        assert_eq!(healthy.apply(&place.of_instance("x-1")), None);
    }
}
