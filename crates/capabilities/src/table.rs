//! The table of parts.

/// Calls a macro with the parts that the engine is downloaded in beside the core, a row for each.
///
/// A row has the name of the part, as users and files have it; its variant of [`Part`](crate::Part); the hosts that load
/// it, `everywhere` or only the npm `package`; the trait of what hosts ask it, if they do, which the module of its name
/// implements for `Loaded`; and its capabilities, each with its registration, which is there before. Files are recognised
/// and read in the order of the rows.
#[macro_export]
macro_rules! parts {
    ($callback:ident) => {
        $crate::with_parts_of_tests! { $callback
            /// The capability `versions`, and problems of programs.
            versions Versions everywhere {
                answers VersionsPart;
                registers ::versions::REGISTRATION => ::versions::Versions::default();
            }
            /// The capability `linking`.
            linking Linking everywhere {
                answers LinkingPart;
                registers ::linking::REGISTRATION => ::linking::Linking;
            }
            /// The capabilities `services` and `fixtures`.
            services Services everywhere {
                answers ServicesPart;
                registers ::services::REGISTRATION => ::services::Services;
                registers ::fixtures::REGISTRATION => ::fixtures::Fixtures;
            }
            /// Commands for services in memory: transactions, clients, watchers, fixtures that are applied.
            service_commands ServiceCommands package { answers ServiceCommandsPart; }
            /// The difference of two sets of files or states.
            comparison Comparison everywhere { answers ComparisonPart; }
            /// Packages, pictures and texts of what is described.
            documents Documents everywhere { answers DocumentsPart; }
            /// Questions of editors about a place, and edits.
            editing Editing everywhere { answers EditingPart; }
            /// Renaming, references, outlines and formatting.
            refactoring Refactoring everywhere { answers RefactoringPart; }
            /// Reports of commands for other programs.
            reports Reports package { answers ReportsPart; }
        }
    };
}

/// The rows of [`parts`](crate::parts), and those that only tests have: which these are depends on the features of this crate.
#[cfg(feature = "toy")]
#[doc(hidden)]
#[macro_export]
macro_rules! with_parts_of_tests {
    ($callback:ident $($rows:tt)*) => {
        $callback! { $($rows)*
            /// The capability `toy`.
            toy Toy everywhere { registers ::toy::REGISTRATION => ::toy::Toy; }
        }
    };
}

/// The rows of [`parts`](crate::parts): tests have more.
#[cfg(not(feature = "toy"))]
#[doc(hidden)]
#[macro_export]
macro_rules! with_parts_of_tests {
    ($callback:ident $($rows:tt)*) => { $callback! { $($rows)* } };
}
