use proptest::prelude::*;

use super::{
    super::{Problem, parse, preview},
    ORIGIN, world,
};

/// Tokens of the language, in any order.
fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "<%",
        "<%=",
        "<%-",
        "<%#",
        "<%%",
        "%>",
        "-%>",
        "%%>",
        "if ",
        "unless ",
        "elsif ",
        "else",
        "end",
        "end.else do",
        "do ",
        "|a|",
        "|a, b|",
        "link('db')",
        "if_link('x')",
        "p('a.b')",
        "if_p('name')",
        ".instances",
        ".each",
        ".map",
        "{ ",
        "}",
        ".p('port')",
        ".address",
        "(",
        ")",
        "[",
        "]",
        "'",
        "\"",
        "#{",
        "x",
        " = ",
        "<<",
        " + ",
        "||",
        "&:",
        "\n",
        ";",
        "1",
        ":a",
        "a: ",
        "while ",
        "case ",
        "raise ",
        "\\",
        "ü",
        "[0]",
        " ? ",
        " : ",
        "!",
        "-",
        "é\r\n",
        ".else(1)",
        "&.",
        "nil",
        "2.5",
    ]);
    prop::collection::vec(word, 0..40).prop_map(|words| words.concat())
}

fn is_in(text: &str, problem: &Problem) -> bool {
    text.get(problem.at.start..problem.at.end).is_some() && !problem.message.contains('\n')
}

fn look(text: &str) {
    world().with(|scope| {
        match parse(text) {
            Ok(expression) => {
                drop(expression.as_path(ORIGIN));
                if let Err(problem) = expression.evaluate(scope) {
                    assert!(is_in(text, &problem), "{problem:?}");
                }
            }
            Err(problem) => assert!(is_in(text, &problem), "{problem:?}"),
        }
        let made = preview(text, scope);
        assert_eq!(made.text.is_some(), made.errors.is_empty() && made.unsupported.is_empty());
        for problem in made.errors.iter().chain(&made.unsupported) {
            assert!(is_in(text, problem), "{problem:?}");
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn no_text_makes_it_fail(text in any::<String>()) {
        look(&text);
    }

    #[test]
    fn no_order_of_words_makes_it_fail(text in words()) {
        look(&text);
        look(&format!("<% {text} %>"));
        look(&format!("<%= {text} %>"));
    }

    #[test]
    fn text_without_tags_stays(text in any::<String>()) {
        prop_assume!(!text.contains("<%"));
        let made = world().with(|scope| preview(&text, scope));
        prop_assert_eq!(made.text, Some(text));
    }

    #[test]
    fn tags_leave_the_text_round_them(before in "[a-z \n]{0,9}", after in "[a-z \n]{0,9}", number in any::<i64>()) {
        let made = world().with(|scope| preview(&format!("{before}<%= {number} %>{after}"), scope));
        let expected = (number != i64::MIN).then(|| format!("{before}{number}{after}"));
        prop_assert_eq!(made.text, expected);
    }

    /// A pure accessor gives the value at its path.
    #[test]
    fn a_path_leads_to_the_value_of_the_accessor(
        text in prop::sample::select(vec![
            "link('db').address", "link('db').instances[1].az", "link('db').instances.first.id", "link('db').p('auth.user')",
            "link('db').p('off', 1)", "link('db').p('none', 1)", "link('db').p('nope', 'x')", "link('db').properties.roles[0].name",
            "link('db').p('roles')[1]['name']", "link('live').address", "link('live').instances[1].address",
        ])
    ) {
        let expression = parse(text).expect("it can be read");
        let path = expression.as_path(ORIGIN).expect("it has a path");
        let (reported, found) = world().with(|scope| {
            let reported = expression.evaluate(scope).expect("it can be evaluated");
            let content = scope.links.get(&path.link).expect("the link is there");
            let pointer = path.steps.iter().try_fold(content, |at, step| match step {
                model::Step::Key(key) => at.get(key),
                model::Step::Index(nth) => at.as_list()?.get(*nth),
            });
            let found = pointer.filter(|it| !matches!(it.data, model::Data::Null)).cloned().or(path.default.clone());
            (reported, found)
        });
        prop_assert_eq!(super::show(&reported), super::show(&found.expect("there is something")));
    }
}
