//! Services that refer to each other, each served by a process of its own.

use serde_json::{Value as Json, json};

use crate::{
    run::Folder,
    serve::TOKEN,
    server::{Server, free_port},
};

const LIBRARY: &str = "name: library.example.com
proto: {package: {name: example.library, currentVersion: v1}}
resources:
- {name: Shelf, plural: Shelves}
- name: Author
";
const SHOP: &str = "name: shop.example.com
proto: {package: {name: example.shop, currentVersion: v1}}
imports: [library.example.com]
resources:
- name: Order
  fields:
  - {path: shelf, type: reference, resource: library.example.com/Shelf, targetDeleteBehavior: BLOCK}
  - {path: author, type: reference, resource: library.example.com/Author, targetDeleteBehavior: UNSET}
- name: Gift
  fields:
  - {path: author, type: reference, resource: library.example.com/Author, targetDeleteBehavior: CASCADE_DELETE}
";
fn folder() -> Folder {
    Folder::new(&[("library.yaml", LIBRARY), ("shop.yaml", SHOP)]).variable("PLANLOOM_TOKEN", TOKEN)
}

/// A library, and a shop that refers to what it has. Each keeps its resources in a file.
fn both(folder: &Folder) -> (Server<'_>, Server<'_>) {
    let (library, shop) = (free_port(), free_port());
    let of = |words: &str, own: u16, peer: &str, at: u16| {
        format!("serve {words} --port {own} --peer {peer}=http://127.0.0.1:{at} --format json")
    };
    let library_words = of("--service library.yaml --store l.db", library, "shop.example.com", shop);
    let shop_words =
        of("--service shop.yaml --import library.yaml --store s.db", shop, "library.example.com", library);
    (Server::start(folder, library_words, library), Server::start(folder, shop_words, shop))
}

#[test]
fn references_hold_between_processes() {
    let folder = folder();
    let (library, shop) = both(&folder);
    let order = json!({"name": "orders/o1", "shelf": "shelves/s1", "author": "authors/a1"});
    let refused = shop.expect("POST /v1/orders", &order, 409);
    assert_eq!(refused["violations"][0]["field"], "author", "{refused}");
    assert_eq!(refused["violations"][1]["message"], "`shelves/s1` does not exist", "{refused}");
    library.expect("POST /v1/shelves", &json!({"name": "shelves/s1"}), 200);
    library.expect("POST /v1/authors", &json!({"name": "authors/a1"}), 200);
    shop.expect("POST /v1/orders", &order, 200);
    shop.expect("POST /v1/gifts", &json!({"name": "gifts/g1", "author": "authors/a1"}), 200);
    let blocked = library.expect("DELETE /v1/shelves/s1", &Json::Null, 409);
    assert_eq!(blocked["violations"][0]["field"], "orders/o1", "{blocked}");
    // The other references of the deleted author are changed by the shop, and only then can the name be used again.
    library.expect("DELETE /v1/authors/a1", &Json::Null, 200);
    shop.expect_soon("GET /v1/gifts/g1", &Json::Null, 404);
    library.expect_soon("POST /v1/authors", &json!({"name": "authors/a1"}), 200);
    let order = shop.expect("GET /v1/orders/o1", &Json::Null, 200);
    assert_eq!((&order["author"], &order["shelf"]), (&Json::Null, &json!("shelves/s1")), "{order}");
    shop.expect("DELETE /v1/orders/o1", &Json::Null, 200);
    library.expect("DELETE /v1/shelves/s1", &Json::Null, 200);
}

#[test]
fn references_hold_when_processes_are_killed() {
    let folder = folder();
    let (mut library, mut shop) = both(&folder);
    library.expect("POST /v1/shelves", &json!({"name": "shelves/s1"}), 200);
    library.expect("POST /v1/authors", &json!({"name": "authors/a1"}), 200);
    let order = json!({"name": "orders/o1", "shelf": "shelves/s1", "author": "authors/a1"});
    shop.expect("POST /v1/orders", &order, 200);
    // Who may refer to it cannot be asked, so it stays.
    shop.kill();
    library.expect("DELETE /v1/shelves/s1", &Json::Null, 503);
    library.kill();
    library.restart();
    library.expect("DELETE /v1/shelves/s1", &Json::Null, 503);
    shop.restart();
    library.expect("DELETE /v1/shelves/s1", &Json::Null, 409);
    // Who owns it cannot be asked, so nothing new refers to it.
    library.kill();
    shop.expect("POST /v1/gifts", &json!({"name": "gifts/g1", "author": "authors/a1"}), 503);
    shop.expect("GET /v1/gifts/g1", &Json::Null, 404);
    library.restart();
    library.expect("DELETE /v1/authors/a1", &Json::Null, 200);
    library.kill();
    library.restart();
    library.expect_soon("POST /v1/authors", &json!({"name": "authors/a1"}), 200);
    let order = shop.expect("GET /v1/orders/o1", &Json::Null, 200);
    assert_eq!(order["author"], Json::Null, "{order}");
}

#[test]
fn peers_that_cannot_be_are_refused_at_the_start() {
    let folder = folder();
    for (peer, message) in [
        ("library.example.com", "error[host/peer]: `library.example.com` is not a service with its address"),
        ("shop.example.com=http://127.0.0.1:1", "error[host/peer]: `shop.example.com` is served here"),
        (
            "library.example.com@eu=http://127.0.0.1:1",
            "error[host/peer]: `library.example.com` is imported here, and is not in region `local`",
        ),
    ] {
        let words = format!("serve --service shop.yaml --import library.yaml --peer {peer}");
        let said = folder.run(&words);
        assert!(said.code == 1 && said.err.starts_with(message), "{}", said.err);
    }
}
