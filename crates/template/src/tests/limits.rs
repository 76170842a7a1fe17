use super::{
    super::{ProblemKind, parse, preview},
    World, shown_problem, world,
};

/// Half of the stack of a browser; the other half is for the host.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(test).expect("a thread starts");
    thread.join().expect("the stack is enough");
}

#[test]
fn depth_is_bounded() {
    on_a_small_stack(|| {
        for (open, close) in [
            ("(", ")"),
            ("[", "]"),
            ("{a: ", "}"),
            ("\"#{", "}\""),
            ("!", ""),
            ("-", ""),
            ("1 ? ", " : 1"),
            ("[1].map { ", " }"),
            ("p('x', ", ")"),
            ("[1][", "]"),
        ] {
            let nested = |depth: usize| format!("{}1{}", open.repeat(depth), close.repeat(depth));
            let problem = parse(&nested(20_000)).expect_err(open);
            assert_eq!(problem.kind, ProblemKind::Limit, "{open}");
            let made = parse(&nested(15)).map(|it| world().with(|scope| drop(it.evaluate(scope))));
            assert_eq!(made, Ok(()), "{open}");
            // Everything that can be read at this depth can be run too.
            for depth in 30..41 {
                drop(parse(&nested(depth)).map(|it| world().with(|scope| drop(it.evaluate(scope)))));
            }
        }
    });
}

#[test]
fn blocks_are_bounded_in_depth() {
    on_a_small_stack(|| {
        for open in [
            "<% if true %>",
            "<% [1].each do |x| %>",
            "<% if_p('name') do |x| %>",
            "<% while 1 %>",
            "<% a { do %>",
        ] {
            for depth in [39, 40, 41, 20_000] {
                let template = format!("{}x{}", open.repeat(depth), "<% end %>".repeat(depth));
                let made = world().with(|scope| preview(&template, scope));
                let runs = depth < 41 && !matches!(open, "<% while 1 %>" | "<% a { do %>");
                assert_eq!(
                    made.text.as_deref(),
                    runs.then_some("x"),
                    "{open} {depth}: {:?}",
                    made.unsupported.first()
                );
            }
        }
        let template = format!("<% {} %>", "do ".repeat(50_000));
        assert!(world().with(|scope| preview(&template, scope)).text.is_none());
    });
}

#[test]
fn long_chains_are_no_depth() {
    on_a_small_stack(|| {
        let sum = format!("1{}", " + 1".repeat(50_000));
        assert_eq!(super::evaluated(&sum), "50001");
        assert_eq!(super::evaluated(&format!("'a'{}", ".to_s".repeat(50_000))), "\"a\"");
        let arms = format!("<% if nil %>{}<% else %>x<% end %>", "<% elsif nil %>".repeat(20_000));
        assert_eq!(world().with(|scope| preview(&arms, scope)).text.as_deref(), Some("x"));
    });
}

#[track_caller]
fn check_stopped(template: &str, expected: &str) {
    let made = world().with(|scope| preview(template, scope));
    let reported: Vec<_> = made.errors.iter().map(|problem| shown_problem(template, problem)).collect();
    assert_eq!((made.text, reported), (None, vec![expected.to_owned()]), "{template}");
}

#[test]
fn work_and_length_are_bounded() {
    let ten = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
    let loops = |body: &str| {
        format!("{}{body}{}", format!("<% {ten}.each do |i| %>").repeat(8), "<% end %>".repeat(8))
    };
    check_stopped(
        &format!("<% x = 'abcdefgh' %>{}", loops("<% x = x + x %>")),
        "Limit at `x + x`: this text grows longer than 1 MiB",
    );
    check_stopped(
        &format!("<% x = [1] %>{}", loops("<% x = x + x %>")),
        "Limit at `x + x`: this is too much work for a preview",
    );
    check_stopped(
        &format!("<% x = [] %>{}", loops("<% x = [x] %>")),
        "Limit at `[x]`: this value is nested too deep",
    );
    let line = "123456789 ".repeat(200);
    check_stopped(&loops(&line), &format!("Limit at `{line}`: the filled in template is longer than 1 MiB"));
    for body in [
        "",
        "<% x = 'a'.upcase %>",
        "<% p('key') %>",
        "<% y = {a: [1, 2]}; z = y['a'] %>",
        "<% if p('a') == p('a') %><% end %>",
    ] {
        let kinds = world().with(|scope| preview(&loops(body), scope)).errors;
        assert_eq!(kinds.iter().map(|it| it.kind).collect::<Vec<_>>(), [ProblemKind::Limit], "{body}");
    }
    let made = world().with(|scope| preview(&loops("<%= p('a') * 1 %>"), scope));
    assert_eq!(
        made.errors.iter().map(|it| it.kind).collect::<Vec<_>>(),
        [ProblemKind::Mismatch, ProblemKind::Limit]
    );
}

#[test]
fn problems_are_bounded_in_number() {
    let template: String = (0..1000).map(|n| format!("<%= p('x{n}') %>")).collect();
    let made = world().with(|scope| preview(&template, scope));
    assert_eq!((made.text, made.errors.len()), (None, 100));
}

/// `x` is 64 KiB of text, `hidden` such a text that is sensitive, `many` a list of 10 000 numbers, `keys` a
/// map with 700 keys, `words` a list of 2 000 short texts and `later` one of 700 references.
fn heavy() -> World {
    let text = "abcdefgh".repeat(8192);
    let numbers = "1, ".repeat(10_000);
    let keys: String = (0..700).map(|n| format!("k{n}: {n}, ")).collect();
    let references = "unknown services.db.port, ".repeat(700);
    let words = "w, ".repeat(2000);
    World::new(&format!(
        "{{links: {{}}, properties: {{x: {text}, hidden: secret {text}, many: [{numbers}], keys: {{{keys}}}, \
         words: [{words}], later: [{references}]}}}}"
    ))
}

/// `body` a thousand times, after `first`.
fn thousand_times(first: &str, body: &str) -> String {
    let ten = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
    let loops = format!("<% {ten}.each do |i| %>").repeat(3);
    format!("<% {first} %>{loops}{body}{}", "<% end %>".repeat(3))
}

#[test]
fn the_cost_of_text_is_its_length() {
    for (first, body) in [
        ("x = p('x')", "<% x.to_s %>"),
        ("x = p('x')", "<% x.upcase %>"),
        ("x = p('x'); x = x + x; x = x + x", "<% x < x %>"),
        ("x = p('x'); x = x + x; x = x + x", "<% [x] %>"),
        ("x = p('hidden')", "<%= x %>"),
        ("", "<% [p('many')] %>"),
        ("", "<% [p('keys')] %>"),
        ("", "<% [p('words')] %>"),
        ("", "<% [p('later')] %>"),
        ("y = [p('many')]", "<% y[0] %>"),
        ("y = [p('many')]", "<% y.any? { |z| true } %>"),
    ] {
        let template = thousand_times(first, body);
        let made = heavy().with(|scope| preview(&template, scope));
        let reported: Vec<_> = made.errors.iter().map(|it| (it.kind, &*it.message)).collect();
        assert_eq!(
            reported,
            [(ProblemKind::Limit, "this is too much work for a preview")],
            "{first}; {body}"
        );
    }
}

#[test]
fn borrowed_values_cost_nothing() {
    for (first, body) in [
        ("x = p('x')", "<% y = x %>"),
        ("", "<% properties.many[0] %>"),
        ("", "<% p('keys').size %>"),
        ("", "<% properties.many %>"),
    ] {
        let template = thousand_times(first, body);
        let made = heavy().with(|scope| preview(&template, scope));
        assert_eq!((made.text.as_deref(), made.errors), (Some(""), Vec::new()), "{first}; {body}");
    }
    let written = "a".repeat(160_000);
    let made = world().with(|scope| preview(&thousand_times("", &format!("<% x = '{written}' %>")), scope));
    assert_eq!((made.text.as_deref(), made.errors), (Some(""), Vec::new()));
}

#[test]
fn a_million_steps_are_too_many() {
    let ten = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
    let template = format!("{}{}", format!("<% {ten}.each do |i| %>").repeat(6), "<% end %>".repeat(6));
    let made = world().with(|scope| preview(&template, scope));
    let reported: Vec<_> = made.errors.iter().map(|it| &*it.message).collect();
    assert_eq!((made.text, reported), (None, vec!["this is too much work for a preview"]));
}

#[test]
fn texts_are_as_long_as_promised() {
    // Doubled 17 times, eight letters are exactly 1 MiB.
    let doubled = format!("<% x = 'abcdefgh' %>{}", "<% x = x + x %>".repeat(17));
    let length = |template: &str| world().with(|scope| preview(template, scope)).text.map(|text| text.len());
    assert_eq!(length(&format!("{doubled}<%= x %>")), Some(1 << 20));
    check_stopped(
        &format!("{doubled}<% x = x + 'a' %>"),
        "Limit at `x + 'a'`: this text grows longer than 1 MiB",
    );
    check_stopped(
        &format!("a{doubled}<%= x %>"),
        "Limit at `x`: the filled in template is longer than 1 MiB",
    );
    assert_eq!(length(&format!("{doubled}<% [x]; {{a: x}}; y = \"#{{x}}\" %>")), Some(0));
}

#[test]
fn references_are_as_long_as_they_are_shown() {
    let shown = "${services.db.network_node.ip}".len();
    let template = |length: usize| format!("<%= '{}' + link('live').address %>", "a".repeat(length));
    let longest = (1 << 20) - shown;
    let made = world().with(|scope| preview(&template(longest), scope));
    assert_eq!(made.text.map(|it| it.len()), Some(1 << 20));
    let made = world().with(|scope| preview(&template(longest + 1), scope));
    assert_eq!(made.errors[0].message, "this text grows longer than 1 MiB");
}

#[test]
fn long_values_are_put_into_others() {
    let made = heavy().with(|scope| {
        preview("<% y = [p('x') + p('x'), p('keys'), p('many')]; z = y.map { |i| i } %><%= z.size %>", scope)
    });
    assert_eq!((made.text.as_deref(), made.errors), (Some("3"), Vec::new()));
}
