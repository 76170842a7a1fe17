use super::*;
use crate::Origin;

fn redactor(of: &[&str]) -> Redactor {
    let mut redactor = Redactor::default();
    for secret in of {
        redactor.add(secret);
    }
    redactor
}

#[track_caller]
fn check(of: &[&str], text: &str, expected: &str) {
    let redactor = redactor(of);
    assert_eq!(redactor.text(text), expected);
    assert_eq!(redactor.holds(text), text != expected);
    let mut place = text.to_owned();
    assert_eq!(redactor.redact(&mut place), text != expected);
    assert_eq!(place, expected);
}

#[test]
fn secrets_are_removed_from_texts() {
    check(&["hunter2"], "postgres://me:hunter2@db", "postgres://me:••••••@db");
    check(&["hunter2"], "hunter", "hunter");
    check(&["abcd", "abcdef"], "abcdef abcd abc", "•••••• •••••• abc");
    check(&["abca", "cabc"], "xabcabcab", "x••••••b");
    check(&["aaaa"], "aaaaaaaaaa b", "•••••• b");
    check(&["größe!"], "die größe! da", "die •••••• da");
    check(&[], "anything", "anything");
}

#[test]
fn short_secrets_are_hidden_where_they_are_all() {
    check(&["abc"], "abc", HIDDEN);
    check(&["abc"], " abc\n", HIDDEN);
    check(&["abc"], "abcd", "abcd");
    check(&["1"], "1", HIDDEN);
    check(&["1", "true", ""], "true", "true");
}

#[test]
fn encoded_secrets_are_secrets() {
    let secret = "p\"ss/wörd+1\n";
    check(&[secret], r#"{"a":"p\"ss/wörd+1\n"}"#, r#"{"a":"••••••\n"}"#);
    check(&[secret], r#"p\"ss\/wörd+1"#, HIDDEN);
    check(&[secret], r#"say p\"ss/w\u00f6rd+1"#, "say ••••••");
    check(&[secret], "?q=p%22ss%2Fw%C3%B6rd%2B1&r", "?q=••••••&r");
    check(&[secret], "?q=p%22ss%2fw%c3%b6rd%2b1&r", "?q=••••••&r");
    check(&["two words"], "q=two+words", "q=••••••");
    check(&["it's-3~%!"], "it's-3~%25!", HIDDEN);
    check(&["it's-3~%!"], "it%27s%2D3%7E%25%21", HIDDEN);
    check(&["hunter2"], "68756e74657232", HIDDEN);
    // "hunter2", ":hunter2" and "me:hunter2" in base64.
    check(&["hunter2"], "aHVudGVyMg==", "••••••g==");
    check(&["hunter2"], "Omh1bnRlcjI=", "Om••••••I=");
    check(&["hunter2"], "bWU6aHVudGVyMg==", "bWU6••••••g==");
}

/// Each text is the secret `hunter2` and nothing else, in a form in which it may be written.
const HUNTER: &[&str] = &[
    // Hexadecimal digits, as `xxd -p`, `xxd`, fingerprints, compilers and people write them.
    "68756E74657232",
    "68756e\n74657232",
    "68756e\r\n74657232",
    "68 75 6e 74 65 72 32",
    "6875 6e74 6572 32",
    "68:75:6E:74:65:72:32",
    "68-75-6e-74-65-72-32",
    "68, 0x75, 0x6e, 0x74, 0x65, 0x72, 0x32",
    // Percent-encoding, of any byte, and of that.
    "%68%75%6e%74%65%72%32",
    "hunt%65r2",
    "%2568%2575nter2",
    "%252568unter2",
    "%u0068unter2",
    // Escapes of JSON, JavaScript, C and shells.
    r"\u0068\u0075nter2",
    r"\\u0068unter2",
    r"\x68unter2",
    r"\x68\x75\x6E\x74\x65\x72\x32",
    r"\150unter2",
    r"\u{68}unter2",
    r"\U00000068unter2",
    "hun\\\nter2",
    // Entities of HTML.
    "&#104;unter2",
    "&#x68;&#X75;nter2",
    "&#0104unter2",
    "&amp;#104;unter2",
    // One in another.
    r"\u002568unter2",
    "%5Cu0068unter2",
    r"68756e\n74657232",
    "%36%38756e74657232",
    // What cannot be seen, and line breaks.
    "hun\u{200b}ter2",
    "h\u{feff}u\u{ad}n\0t\u{2060}e\u{1}r\u{e0041}2",
    "hun\nter2",
    "hun\r\nter2",
    r"hun\u200bter2",
    r"hun\nter2",
    "hun%00ter2",
    "hun&#8203;ter2",
    "hun&shy;ter2",
    "%6\u{200b}8unter2",
    "687\u{200b}56e74657232",
];

#[test]
fn however_it_is_written_a_secret_is_hidden() {
    for form in HUNTER {
        check(&["hunter2"], form, HIDDEN);
        check(&["hunter2"], &format!("<{form}> ü"), "<••••••> ü");
        check(&["hunter2"], &format!("say: {form}!\n{form}?"), "say: ••••••!\n••••••?");
    }
    check(&["wörd😀"], r"\u0077\u00f6rd\ud83d\ude00", HIDDEN);
    check(&["wörd😀"], "w&ouml;rd w&#xf6;rd&#128512;", "w&ouml;rd ••••••");
    check(&["wörd"], r"w\xf6rd w\xc3\xb6rd w%f6rd", "•••••• •••••• ••••••");
    check(&["a<b>&c"], "a&lt;b&gt;&amp;c a&amp;lt;b&amp;gt;&amp;amp;c", "•••••• ••••••");
    check(&["two words"], "%74wo+words t%77o%20words", "•••••• ••••••");
    check(&["first\nsecond"], "first\r\nsecond first%0asecond", "•••••• ••••••");
    // What reads as an escape itself.
    check(&["50%41b%c"], "50%41b%c 50%2541b%25c 50%41%62%c", "•••••• •••••• ••••••");
    check(&[r"C:\new\x"], r"C:\new\x C:\\new\\x C:\\\\new\\x", "•••••• •••••• ••••••");
    check(&["nord\\wind"], "100%, \\nord\\\\wind", "100%, \\••••••");
    check(&["!A\\aa!a"], "!A&amp;#92;&amp;amp;#97;a!a", HIDDEN);
    check(&["€a\\ö\\"], "€\u{200b}a\\\u{200b}ö\\ x", "•••••• x");
    check(&["abc"], "a\u{200b}bc", HIDDEN);
}

#[test]
fn what_a_terminal_does_not_show_hides_no_secret() {
    let secret = "Tr0ub4dor-SECRET";
    let colour = "\x1b[1;31mTr0ub4dor\x1b[0m-\x1b[38:5:1mSECRET\x1b[0m.";
    check(&[secret], colour, "\x1b[1;31m••••••\x1b[0m.");
    let linked = "\x1b]8;;https://a.example/b\x07Tr0ub4dor\x1b]8;;\x1b\\-SEC\x1b(BRET";
    check(&[secret], linked, "\x1b]8;;https://a.example/b\x07••••••");
    check(&[secret], "Tr0ub4dor\u{1b}[", "Tr0ub4dor\u{1b}[");
    check(&[secret], &format!("\x1b]{secret}\x07 \x1b[{secret}"), "\x1b]••••••\x07 \x1b[••••••");
    check(&[secret], "Tr0ub4dor%1b[0m-SEC\\x1b[0mRET", "••••••");
}

#[test]
fn digits_of_base64_are_hidden_across_lines_and_groups() {
    let secret = "correct-horse?battery>staple";
    check(&[secret], "Y29ycmVjdC1ob3Jz\r\nZT9iYXR0ZXJ5PnN0\r\nYXBsZQ==", "••••••Q==");
    check(&[secret], "a: |\n  Y29ycmVj dC1ob3JzZT9i\n  YXR0ZXJ5PnN0YXBsZQ\n", "a: |\n  ••••••Q\n");
    check(&["hunter2"], "Omh1\nbnRlcjI=", "Om••••••I=");
    check(&["hunter2"], "bW U6 aH Vu dG Vy Mg ==", "bW U6 ••••••g ==");
    check(&["hunter2"], r"aHVu\ndGVyMg==", "••••••g==");
    check(&["hunter2"], "aHVu%0D%0AdGVyMg%3D%3D", "••••••g%3D%3D");
    check(&["???>>>"], "Pz8_ Pj4-", HIDDEN);
    check(&["???>>>"], r"Pz8\/Pj4+", HIDDEN);
}

#[test]
fn dumps_lose_a_secret_with_the_characters_beside() {
    let secret = "correct horse battery";
    let xxd = "00000000: 636f 7272 6563 7420 686f 7273 6520 6261  correct horse ba\n\
               00000010: 7474 6572 790a                           ttery.\n\
               00000020: 6f6b                                     ok\n";
    let rest = "\n00000020: 6f6b                                     ok\n";
    check(&[secret], xxd, &format!("00000000: ••••••{rest}"));
    let hexdump = "00000000  63 6f 72 72 65 63 74 20  68 6f 72 73 65 20 62 61  |correct horse ba|\n\
                   00000010  74 74 65 72 79 0a                                 |ttery.|\n00000016\n";
    check(&[secret], hexdump, "00000000  ••••••\n00000016\n");
}

#[test]
fn ordinary_texts_stay_as_they_are() {
    for text in [
        "It has an inn, ab. C den; a\tbcden abc den ab cd",
        "2026-11-22 20:33:05 [info] 100% of C:\\abc\\den & more; see &abc;den, \\abz %zz &#; &#x; \\u12 \\x %",
        "the map is there, when abc\u{200b} den",
        "\\ud800\\u0041 &#1114112; &#99999999999999; \\u{110000} \\u{} \\U0000 %u00",
    ] {
        check(&["abcden", "them", "abcd"], text, text);
    }
}

#[test]
fn the_end_of_a_text_has_no_end_of_a_secret() {
    let redactor = redactor(&["hunter2", "ab"]);
    let check = |from: usize, expected: &str| assert_eq!(redactor.tail("say hunter2 ü x", from), expected);
    check(0, "say •••••• ü x");
    check(4, "•••••• ü x");
    check(6, "•••••• ü x");
    check(11, " ü x");
    check(13, " x");
    check(99, "");
    assert_eq!(redactor.tail("x ab", 2), HIDDEN);
}

#[test]
fn lines_of_a_key_are_secrets() {
    let key = "-----BEGIN KEY-----\nMIIEvQIBADANBg\nshort\n-----END KEY-----\n";
    check(&[key], "it says MIIEvQIBADANBg", "it says ••••••");
    check(&[key], "-----BEGIN KEY----- short", "-----BEGIN KEY----- short");
    check(&[key], &format!("x{key}y"), "x••••••\ny");
}

#[test]
fn values_are_marked() {
    let text = |text: &str| Value::new(Data::String(text.into()), Origin::Observed);
    let map =
        |key: &str, value| Value::new(Data::Map(crate::map_of([(key.into(), value)])), Origin::Observed);
    let tainted = |mut value: Value| {
        redactor(&["hunter2", "7"]).taint(&mut value);
        value
    };
    let value = tainted(map("a", map("b", text("is hunter2"))));
    assert!(!value.sensitive && value.get("a").is_some_and(|it| it.get("b").is_some_and(|it| it.sensitive)));
    assert!(tainted(map("a hunter2", text("x"))).sensitive);
    assert!(tainted(Value::new(Data::Int(7), Origin::Observed)).sensitive);
    assert!(!tainted(text("hunter")).sensitive);
    assert_eq!(format!("{:?}", redactor(&["hunter2"])), "Redactor(1)");
}

mod laws {
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::{Redactor, redactor};

    /// A function that writes a character of a text, depending on the drawn number.
    type Escape = fn(char, u8) -> String;

    const ESCAPES: [Escape; 4] = [percent, json, program, entity];

    fn percent(c: char, drawn: u8) -> String {
        if drawn < 128 && c != '%' {
            return c.into();
        }
        c.encode_utf8(&mut [0; 4]).bytes().fold(String::new(), |mut text, byte| {
            _ = if drawn & 1 == 0 { write!(text, "%{byte:02x}") } else { write!(text, "%{byte:02X}") };
            text
        })
    }

    fn json(c: char, drawn: u8) -> String {
        match c {
            '\\' | '"' | '/' if drawn & 1 == 0 => format!("\\{c}"),
            '\\' | '"' | '\n' | '\u{80}'.. => units(c),
            _ if drawn >= 128 => units(c),
            _ => c.into(),
        }
    }

    fn units(c: char) -> String {
        c.encode_utf16(&mut [0; 2]).iter().map(|it| format!("\\u{it:04x}")).collect()
    }

    fn program(c: char, drawn: u8) -> String {
        if drawn < 128 && c != '\\' {
            return c.into();
        }
        match drawn % 4 {
            0 => format!("\\u{{{:x}}}", u32::from(c)),
            1 => format!("\\U{:08X}", u32::from(c)),
            2 => c.encode_utf8(&mut [0; 4]).bytes().map(|it| format!("\\x{it:02X}")).collect(),
            _ => c.encode_utf8(&mut [0; 4]).bytes().map(|it| format!("\\{it:03o}")).collect(),
        }
    }

    fn entity(c: char, drawn: u8) -> String {
        match drawn % 4 {
            0 => format!("&#{};", u32::from(c)),
            1 => format!("&#x{:x};", u32::from(c)),
            _ if c == '&' => "&amp;".into(),
            _ => c.into(),
        }
    }

    fn secret() -> impl Strategy<Value = String> {
        prop_oneof!["[!-~]{5,24}", "[!-~][ -~]{5,20}[!-~]", "[a-zäöü€😀\"\\\\/+%&]{5,12}"]
    }

    fn around() -> impl Strategy<Value = String> {
        prop_oneof!["[a-z .,\n]{0,40}", "[a-zA-Z0-9/+%&\\\\ ü\n]{0,20}[ .]"]
    }

    /// True if the text from one byte to another is hidden.
    fn is_hidden(secrets: &Redactor, text: &str, from: usize, to: usize) -> bool {
        secrets.spans(text).iter().any(|(start, end)| *start <= from && to <= *end)
    }

    /// Puts what was drawn between the characters.
    fn spread(text: &str, between: &[&str], drawn: &[u8]) -> String {
        let mut all = drawn.iter().cycle();
        let mut spread = String::new();
        for c in text.chars() {
            if !spread.is_empty() {
                let at = usize::from(*all.next().unwrap_or(&0));
                spread.push_str(between.get(at % (2 * between.len())).unwrap_or(&""));
            }
            spread.push(c);
        }
        spread
    }

    proptest! {
        #[test]
        fn escapes_hide_nothing(
            secret in secret(),
            which in 0..ESCAPES.len(),
            depth in 0..4_usize,
            drawn in prop::collection::vec(any::<u8>(), 1..64),
            before in around(),
            behind in around(),
        ) {
            let mut core = secret.clone();
            let mut all = drawn.iter().cycle();
            for _ in 0..depth {
                core = core.chars().map(|c| ESCAPES[which](c, *all.next().unwrap_or(&0))).collect();
            }
            // An escape may not begin before it.
            let before = before.trim_end_matches(['%', '\\', '&']);
            let text = format!("{before} {core} {behind}");
            let from = before.len() + 1;
            prop_assert!(is_hidden(&redactor(&[&secret]), &text, from, from + core.len()), "{text}");
        }

        #[test]
        fn invisible_characters_do_not_hide_secrets(
            secret in secret(),
            drawn in prop::collection::vec(any::<u8>(), 1..64),
            before in around(),
            behind in around(),
        ) {
            let core = spread(&secret, &["\u{200b}", "\n", "\r\n", "\0", "\u{ad}", "\u{feff}"], &drawn);
            let text = format!("{before}{core}{behind}");
            let (from, to) = (before.len(), before.len() + core.len());
            prop_assert!(is_hidden(&redactor(&[&secret]), &text, from, to), "{text}");
        }

        #[test]
        fn groups_of_digits_hide_nothing(
            secret in secret(),
            drawn in prop::collection::vec(any::<u8>(), 1..64),
            before in around(),
            behind in around(),
        ) {
            let digits: String = secret.bytes().map(|it| format!("{it:02x}")).collect();
            let digits = if drawn.len() % 2 == 0 { digits } else { digits.to_uppercase() };
            let core = spread(&digits, &[" ", "\n", "\r\n  ", ":", "-", ", "], &drawn);
            let text = format!("{before}.{core}.{behind}");
            let from = before.len() + 1;
            prop_assert!(is_hidden(&redactor(&[&secret]), &text, from, from + core.len()), "{text}");
        }

        #[test]
        fn lines_of_base64_hide_nothing(
            secret in secret(),
            offset in 0..3_usize,
            drawn in prop::collection::vec(any::<u8>(), 1..64),
            before in around(),
            behind in around(),
        ) {
            let digits = crate::redactor::forms::base64(secret.as_bytes(), offset);
            let core = spread(&digits, &[" ", "\n", "\r\n", "\n    "], &drawn);
            let text = format!("{before}{core}{behind}");
            let (from, to) = (before.len(), before.len() + core.len());
            prop_assert!(is_hidden(&redactor(&[&secret]), &text, from, to), "{text}");
        }

        #[test]
        fn no_text_is_too_strange(secret in secret(), text in "[ -~\n]{0,60}", strange in any::<String>()) {
            prop_assert_eq!(redactor(&[&secret]).text(&text).contains("••"), redactor(&[&secret]).holds(&text));
            let _ = redactor(&[&secret]).text(&strange);
            let _ = redactor(&[&strange]).text(&format!("{text}{strange}"));
        }
    }
}
