//! One set of line icons: 16 px, drawn with the text's colour.

use yew::prelude::*;

macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident: $path:literal,)*) => {
        /// An icon's name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum IconName { $($(#[$doc])* $name,)* }

        impl IconName {
            /// Every icon.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The outline in a box of 16 by 16, drawn with a stroke of 1.5.
            pub const fn path(self) -> &'static str {
                match self { $(Self::$name => $path,)* }
            }
        }
    };
}

icons! {
    /// The product's mark: threads that become one plan.
    Mark: "M2 3.5h3c3 0 3 9 6 9h3M2 12.5h3c1.2 0 1.9-1.4 2.5-3M14 3.5h-3c-1.2 0-1.9 1.4-2.5 3",
    /// A descriptor file.
    File: "M4 1.75h5L12.5 5v9.25H4zM9 1.75V5h3.5",
    /// Several files.
    Folder: "M1.75 3.5h4l1.5 1.75h7v7.5H1.75z",
    /// Files as a stack.
    Layers: "M8 2 14 5 8 8 2 5zM2 8l6 3 6-3M2 11l6 3 6-3",
    /// Add.
    Plus: "M8 3v10M3 8h10",
    /// Take away.
    Minus: "M3 8h10",
    /// Close.
    Close: "M4 4l8 8M12 4l-8 8",
    /// Delete.
    Trash: "M2.5 4.25h11M6 4V2h4v2M4 4.5l.7 9.25h6.6L12 4.5M6.75 7v4M9.25 7v4",
    /// Rename, change.
    Pencil: "M3 13l.6-3L10.8 2.8a1.2 1.2 0 0 1 1.7 0l.7.7a1.2 1.2 0 0 1 0 1.7L6 12.4z",
    /// Bring in.
    Import: "M8 2v8M5 7.25 8 10.25l3-3M2.5 11v2.75h11V11",
    /// Take out.
    Export: "M8 10.25V2M5 5l3-3 3 3M2.5 11v2.75h11V11",
    /// Find.
    Search: "M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM10.75 10.75 14 14",
    /// Choose what is shown.
    Filter: "M2 3.5h12M4.25 8h7.5M6.5 12.5h3",
    /// The simulator.
    Flask: "M6 2h4M6.75 2v4L3 12.5a.9.9 0 0 0 .8 1.4h8.4a.9.9 0 0 0 .8-1.4L9.25 6V2M4.8 9.75h6.4",
    /// Real machines.
    Server: "M2.5 2.75h11v4h-11zM2.5 9.25h11v4h-11zM5 4.75h.01M5 11.25h.01M7.5 4.75h3.5M7.5 11.25h3.5",
    /// Light theme.
    Sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.25v1.5M8 13.25v1.5M1.25 8h1.5M13.25 8h1.5M3.2 3.2l1.1 1.1M11.7 11.7l1.1 1.1M3.2 12.8l1.1-1.1M11.7 4.3l1.1-1.1",
    /// Dark theme.
    Moon: "M13.5 9.6A6 6 0 0 1 6.4 2.5 6 6 0 1 0 13.5 9.6z",
    /// Theme of the system.
    Contrast: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 2v12M8 5h4.8M8 8h6M8 11h4.8",
    /// Hand on.
    Share: "M6.5 9.5 9.5 6.5M7 4.5l1.4-1.4a3 3 0 0 1 4.3 4.3L11.3 8.8M9 11.5l-1.4 1.4a3 3 0 0 1-4.3-4.3L4.7 7.2",
    /// Undo.
    Undo: "M5.5 3 2.5 6l3 3M2.75 6h6.5a4 4 0 0 1 0 8H6",
    /// Redo.
    Redo: "M10.5 3l3 3-3 3M13.25 6h-6.5a4 4 0 0 0 0 8H10",
    /// An error.
    Error: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.5M8 10.9v.2",
    /// A warning.
    Warning: "M8 2.25 14.25 13.5H1.75zM8 6.5v3.25M8 11.6v.2",
    /// A hint.
    Hint: "M6 13.75h4M6.25 11.5c0-1.5-2-2.3-2-4.75a3.75 3.75 0 0 1 7.5 0c0 2.45-2 3.25-2 4.75z",
    /// It is fine.
    Check: "M3 8.5l3.25 3.25L13 5",
    /// Folded.
    ChevronRight: "M6 3.5 10.5 8 6 12.5",
    /// Open.
    ChevronDown: "M3.5 6 8 10.5 12.5 6",
    /// Up.
    ChevronUp: "M3.5 10 8 5.5 12.5 10",
    /// Back.
    ChevronLeft: "M10 3.5 5.5 8l4.5 4.5",
    /// Leads to.
    Arrow: "M2.5 8h11M9.5 4l4 4-4 4",
    /// Show all of it.
    Fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
    /// The dependency graph.
    Graph: "M1.75 6h4v4h-4zM10.25 2h4v4h-4zM10.25 10h4v4h-4zM5.75 8h2.5M10.25 4H9a.75.75 0 0 0-.75.75v6.5c0 .4.3.75.75.75h1.25",
    /// The merged document.
    Merge: "M3 2v4c0 2 5 2 5 4.5V14M13 2v4c0 2-5 2-5 4.5",
    /// Links between providers and consumers: two links of a chain.
    Links: "M6.75 9.25a2.6 2.6 0 0 0 3.7 0l2.3-2.3a2.6 2.6 0 0 0-3.7-3.7l-1 1M9.25 6.75a2.6 2.6 0 0 0-3.7 0l-2.3 2.3a2.6 2.6 0 0 0 3.7 3.7l1-1",
    /// Versions to choose from: a tag.
    Versions: "M2.5 2.5h5.25l6 6-5.25 5.25-6-6zM5.25 5.25h.1",
    /// The plan.
    Plan: "M2.25 4h1.5M6 4h7.75M2.25 8h1.5M6 8h7.75M2.25 12h1.5M6 12h7.75",
    /// The recorded state.
    State: "M8 6c3 0 5.25-.9 5.25-2S11 2 8 2s-5.25.9-5.25 2S5 6 8 6zM2.75 4v8c0 1.1 2.25 2 5.25 2s5.25-.9 5.25-2V4M2.75 8c0 1.1 2.25 2 5.25 2s5.25-.9 5.25-2",
    /// Two sides that are compared.
    Compare: "M2.25 2.5h4.5v11h-4.5zM9.25 2.5h4.5v11h-4.5zM11.5 6v4M9.5 8h4",
    /// Controllers at work: two arrows in a circle.
    Controllers: "M13.5 7A5.6 5.6 0 0 0 3.4 4.8L2 6.5M2 3v3.5h3.5M2.5 9a5.6 5.6 0 0 0 10.1 2.2L14 9.5M14 13V9.5h-3.5",
    /// Services with their kinds of resources: a box with others below it.
    Services: "M1.75 1.75h5v3.5h-5zM9.25 6.25h5v3h-5zM9.25 11.25h5v3h-5zM4.25 5.25v7.5h5M4.25 7.75h5",
    /// A service.
    Service: "M2.25 2.5h11.5v4.25H2.25zM2.25 9.25h11.5v4.25H2.25zM4.75 4.6h.1M4.75 11.4h.1M7.5 4.6h4M7.5 11.4h4",
    /// A network.
    Network: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c2 2 2.5 4 2.5 6S10 12 8 14c-2-2-2.5-4-2.5-6S6 4 8 2z",
    /// A payload.
    Payload: "M8 1.75 13.5 4.8v6.4L8 14.25 2.5 11.2V4.8zM2.5 4.8 8 7.9l5.5-3.1M8 7.9v6.35",
    /// Something of another kind.
    Box: "M2.5 2.5h11v11h-11z",
    /// A lock: a hidden value.
    Lock: "M3.5 7.25h9v6.5h-9zM5.25 7V5a2.75 2.75 0 0 1 5.5 0v2",
    /// Time, waiting.
    Clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.75V8l2.25 1.5",
    /// Keyboard.
    Keyboard: "M1.5 4h13v8.5h-13zM4 6.75h.1M6.6 6.75h.1M9.3 6.75h.1M11.9 6.75h.1M4.5 9.75h7",
    /// More.
    More: "M3 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0M7.5 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0M12 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0",
    /// Take hold of.
    Grip: "M6 3.5h.01M10 3.5h.01M6 8h.01M10 8h.01M6 12.5h.01M10 12.5h.01",
    /// The left rail.
    Sidebar: "M2 2.75h12v10.5H2zM6 2.75v10.5",
    /// A copy.
    Copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
    /// A command.
    Command: "M5.5 5.5h5v5h-5zM5.5 5.5V4a1.75 1.75 0 1 0-1.75 1.5zM10.5 5.5V4a1.75 1.75 0 1 1 1.75 1.5zM5.5 10.5V12a1.75 1.75 0 1 1-1.75-1.5zM10.5 10.5V12a1.75 1.75 0 1 0 1.75-1.5z",
    /// Look at.
    Eye: "M1.25 8S3.75 3.5 8 3.5 14.75 8 14.75 8 12.25 12.5 8 12.5 1.25 8 1.25 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
    /// Write.
    Code: "M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5",
    /// A list and tree.
    Tree: "M2.5 3h11M5 8h8.5M7.5 13h6M2.5 3v5.5M5 8v5",
    /// Stop.
    Stop: "M4 4h8v8H4z",
    /// Apply.
    Play: "M4.5 2.75v10.5L13 8z",
}

impl IconName {
    /// The icon. Hidden from screen readers: its meaning must be written beside it.
    pub fn html(self) -> Html {
        self.html_with("")
    }

    /// The icon with one more class.
    pub fn html_with(self, class: &'static str) -> Html {
        html! {
            <svg class={classes!("icon", class)} viewBox="0 0 16 16" width="16" height="16"
                fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"
                aria-hidden="true" focusable="false">
                <path d={self.path()} />
            </svg>
        }
    }
}
