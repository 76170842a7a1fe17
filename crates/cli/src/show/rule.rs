/// A merge rule in words; the tag `!reset` is named where it is written, `!override` where it may be.
pub(crate) fn words(rule: &str) -> &str {
    match rule {
        "set" => "set here",
        "deep" => "merged by key",
        "override" => "wins",
        "concatenate" => "joined",
        "replace" => "replaces all",
        "unique" => "joined, each once",
        "by_key" => "merged by item",
        "reset" => "removed by `!reset`",
        other => other,
    }
}

/// The same with what came before it.
pub(crate) fn over(rule: &str, places: &[String]) -> String {
    let places = places.join(", ");
    match rule {
        _ if places.is_empty() => words(rule).to_owned(),
        "override" => format!("wins over {places}"),
        "replace" => format!("replaces {places}"),
        rule => format!("{}, over {places}", words(rule)),
    }
}
