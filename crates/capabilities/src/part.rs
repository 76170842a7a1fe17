//! The parts that the engine is downloaded in.

use ::workspace::{Workspace, capability::Registration};

/// Adds a capability to a workspace.
type Add = fn(&mut Workspace);

/// Makes of the table what there is for each part.
macro_rules! define {
    ($(
        $(#[$doc:meta])*
        $name:ident $part:ident $hosts:ident {
            $(answers $answers:ident;)?
            $(registers $registration:path => $capability:expr;)*
        }
    )*) => {
        /// A part of the engine beside the core.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Part {
            $($(#[$doc])* $part,)*
        }

        impl Part {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$part),*];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$part => stringify!($name),)*
                }
            }
        }

        /// The registration of each capability, for a workspace that none is loaded into yet.
        pub const ALL: &[&Registration] = &[$($(&$registration,)*)*];

        /// The capabilities with the parts that have them.
        const OWNERS: &[(&Registration, Part)] = &[$($((&$registration, Part::$part),)*)*];

        /// Adds all capabilities to a workspace.
        pub(crate) fn load_all(workspace: &mut Workspace) {
            $($(workspace.load(Box::new($capability));)*)*
        }

        /// The parts that are loaded.
        #[derive(Clone, Copy, Default)]
        pub struct Parts {
            /// The capabilities of each.
            capabilities: [Option<&'static [Add]>; Part::ALL.len()],
            $($(
                #[doc = concat!("The answers of [`Part::", stringify!($part), "`].")]
                pub $name: Option<&'static dyn crate::$answers>,
            )?)*
        }

        impl Parts {
            $(
                #[doc = concat!("All of [`Part::", stringify!($part), "`], and no other.")]
                pub fn $name() -> Self {
                    const CAPABILITIES: &[Add] = &[$(|it| it.load(Box::new($capability))),*];
                    Self {
                        $($name: Some(&crate::$name::Loaded as &dyn crate::$answers),)?
                        ..Self::only(Part::$part, CAPABILITIES)
                    }
                }
            )*

            /// All of them, for hosts that have them at once.
            pub fn all() -> Self {
                Self::default()$(.and(Self::$name()))*
            }

            /// These and others.
            #[must_use]
            pub fn and(self, more: Self) -> Self {
                let mut capabilities = self.capabilities;
                for (own, more) in capabilities.iter_mut().zip(more.capabilities) {
                    *own = own.or(more);
                }
                Self {
                    capabilities,
                    $($($name: self.$name.or(more.$name as Option<&'static dyn crate::$answers>),)?)*
                }
            }
        }
    };
}

crate::parts!(define);

impl Part {
    /// The parts that have these capabilities, each once.
    pub fn of_capabilities(names: &[&str]) -> Vec<Self> {
        let mut parts = Vec::new();
        for name in names {
            let owner = OWNERS.iter().find(|(it, _)| it.name == *name).map(|(_, part)| *part);
            parts.extend(owner.filter(|it| !parts.contains(it)));
        }
        parts
    }

    /// The part of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.name() == name)
    }
}

impl Parts {
    fn only(part: Part, capabilities: &'static [Add]) -> Self {
        let mut parts = Self::default();
        if let Some(own) = parts.capabilities.get_mut(part as usize) {
            *own = Some(capabilities);
        }
        parts
    }

    /// True if a part is loaded.
    pub fn has(&self, part: Part) -> bool {
        self.of(part).is_some()
    }

    fn of(&self, part: Part) -> Option<&'static [Add]> {
        self.capabilities.get(part as usize).copied().flatten()
    }

    /// Adds to a workspace the capabilities that its files need and that are loaded; gives the parts that are not.
    pub fn complete(&self, workspace: &mut Workspace) -> Vec<Part> {
        let mut missing = Part::of_capabilities(&workspace.not_loaded());
        missing.retain(|part| {
            let capabilities = self.of(*part);
            capabilities.into_iter().flatten().for_each(|add| add(workspace));
            capabilities.is_none()
        });
        missing
    }
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(Part::ALL.iter().filter(|it| self.has(**it))).finish()
    }
}
