use super::{
    super::{ProblemKind, parse, preview},
    told_of, world,
};

/// As much stack as there is in a browser, half of it for others.
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
            // As deep as can be read, it can be run too.
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
    let told: Vec<_> = made.errors.iter().map(|problem| told_of(template, problem)).collect();
    assert_eq!((made.text, told), (None, vec![expected.to_owned()]), "{template}");
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
