//! A registry of deployments, and servers that register there, each a process of its own.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::{Value as Json, json};

use crate::{
    run::Folder,
    serve::TOKEN,
    server::{Server, free_port},
};

const SHOP: &str = "name: shop.example.com
proto: {package: {name: example.shop, currentVersion: v1}}
resources:
- name: Shop
- name: Item
  parents: [Shop]
  scopeAttributes: [Region]
  fields:
  - {path: title, type: string}
";

const ORDERS: &str = "name: orders.example.com
proto: {package: {name: example.orders, currentVersion: v1}}
imports: [shop.example.com]
resources:
- name: Order
  fields:
  - {path: shop, type: reference, resource: shop.example.com/Shop, targetDeleteBehavior: BLOCK}
";

const NOTHING: &Json = &Json::Null;

fn folder() -> Folder {
    Folder::new(&[("shop.yaml", SHOP), ("orders.yaml", ORDERS)]).variable("PLANLOOM_TOKEN", TOKEN)
}

/// A registry with the regions `eu` and `us`.
fn registry(folder: &Folder) -> Server<'_> {
    let port = free_port();
    let words = format!("serve --serve-registry eu,us --store registry.db --port {port} --format json");
    Server::start(folder, words, port)
}

/// The server of a service in a region, whose resources are in a file.
fn server<'f>(folder: &'f Folder, registry: u16, service: &str, region: &str, store: &str) -> Server<'f> {
    let port = free_port();
    let words = format!(
        "serve {service} --registry http://127.0.0.1:{registry} --region {region} --store {store}.db --port {port} --format json"
    );
    Server::begin(folder, words, port)
}

const SHOPS: &str = "--service shop.yaml";
const ORDERING: &str = "--service orders.yaml --import shop.yaml";

fn regions(registry: &Server<'_>, service: &str) -> Json {
    let (_, found) = registry.send(&format!("GET /v1/services/{service}"), NOTHING);
    found["multiRegionPolicy"]["enabledRegions"].clone()
}

/// The first part of a stream that has a resource.
fn first_part(port: u16, path: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a limit");
    let head = format!("Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: 0\r\n");
    write!(stream, "POST {path} HTTP/1.1\r\n{head}\r\n").expect("it is sent");
    let lines = BufReader::new(stream).lines().map(|it| it.expect("a line"));
    lines.into_iter().find(|it| it.contains("\"name\"")).unwrap_or_default()
}

fn withdraw(folder: &Folder, registry: u16, deployment: &str) -> String {
    let words = format!("region withdraw {deployment} --registry http://127.0.0.1:{registry}");
    let ran = folder.run(&words);
    format!("{}{}", ran.out, ran.err)
}

#[test]
fn servers_that_register_at_once_find_each_other() {
    let folder = folder();
    let registry = registry(&folder);
    let [eu, us] = ["eu", "us"].map(|it| server(&folder, registry.port, SHOPS, it, it));
    eu.expect_soon("GET /v1/shops", NOTHING, 200);
    us.expect_soon("GET /v1/shops", NOTHING, 200);
    assert_eq!(regions(&registry, "shop.example.com"), json!(["eu", "us"]));
    let list = registry.expect("GET /v1/services/shop.example.com/deployments", NOTHING, 200);
    let addresses: Vec<&Json> =
        list["deployments"].as_array().expect("a list").iter().map(|it| &it["publicDomain"]).collect();
    let expected = [&eu, &us].map(|it| json!(format!("http://127.0.0.1:{}", it.port)));
    assert_eq!(addresses, [&expected[0], &expected[1]]);

    // Whoever has been the first one is the control region, and each passes on what the other one owns.
    eu.expect_soon("POST /v1/shops", &json!({"name": "shops/s1"}), 200);
    us.expect_soon("GET /v1/shops/s1", NOTHING, 200);
    let item = json!({"name": "shops/s1/regions/us/items/i1"});
    let created = eu.expect("POST /v1/shops/s1/regions/us/items", &item, 200);
    let syncing = json!({"owningRegion": "us", "regions": ["eu", "us"]});
    assert_eq!(created["metadata"]["syncing"], syncing, "{created}");
    eu.expect_soon("GET /v1/shops/s1/regions/us/items/i1", NOTHING, 200);

    // Those who watch get what is there, and what comes.
    assert!(first_part(us.port, "/v1/shops:watch").contains("shops/s1"));
    assert!(first_part(registry.port, "/v1/services:watch").contains("services/shop.example.com"));

    // A region that a service is in is not deleted, and only the protocol writes what there is of deployments.
    registry.expect("DELETE /v1/regions/us", NOTHING, 409);
    registry.expect("DELETE /v1/services/shop.example.com/deployments/us", NOTHING, 405);
}

#[test]
fn a_region_that_comes_later_has_copies_of_what_there_is() {
    let folder = folder();
    let registry = registry(&folder);
    let eu = server(&folder, registry.port, SHOPS, "eu", "eu");
    let created = eu.expect_soon("POST /v1/shops", &json!({"name": "shops/s1"}), 200);
    assert_eq!(created["metadata"]["syncing"]["regions"], json!(["eu"]), "{created}");
    let mut us = server(&folder, registry.port, SHOPS, "us", "us");
    // It serves nothing before it has what is there.
    us.expect_soon("GET /readyz", NOTHING, 200);
    us.expect("GET /v1/shops/s1", NOTHING, 200);
    let read = us.expect_until("GET /v1/shops/s1", NOTHING, |status, it| {
        status == 200 && it["metadata"]["syncing"]["regions"] == json!(["eu", "us"])
    });
    assert_eq!(read["metadata"]["syncing"]["owningRegion"], "eu", "{read}");
    us.expect("POST /v1/shops/s1/regions/us/items", &json!({"name": "shops/s1/regions/us/items/i1"}), 200);

    us.kill();
    let said = withdraw(&folder, registry.port, "shop.example.com@us");
    assert_eq!(said, "shop.example.com in us is withdrawn.\n");
    assert_eq!(regions(&registry, "shop.example.com"), json!(["eu"]));
    let item = json!({"name": "shops/s1/regions/us/items/i2"});
    eu.expect_soon("POST /v1/shops/s1/regions/us/items", &item, 409);
    let said = withdraw(&folder, registry.port, "shop.example.com@us");
    assert!(said.contains("has no shop.example.com in us"), "{said}");
    us.restart();
    us.expect_soon("GET /v1/shops/s1/regions/us/items/i1", NOTHING, 200);
    eu.expect_soon("POST /v1/shops/s1/regions/us/items", &item, 200);
}

#[test]
fn what_a_service_imports_has_to_be_in_its_region() {
    let folder = folder();
    let registry = registry(&folder);
    let orders = server(&folder, registry.port, ORDERING, "eu", "orders");
    let us = server(&folder, registry.port, SHOPS, "us", "us");
    us.expect_soon("GET /v1/shops", NOTHING, 200);
    let refused = orders.expect_until("GET /v1/orders", NOTHING, |_, it| {
        it["detail"].as_str().is_some_and(|it| it.contains("imports"))
    });
    let reason = "`orders.example.com` is not registered yet: the service imports `shop.example.com`, which is not deployed in `eu`";
    assert_eq!((&refused["status"], &refused["detail"]), (&json!(503), &json!(reason)));

    // As soon as it is there, references to its resources hold.
    let eu = server(&folder, registry.port, SHOPS, "eu", "eu");
    orders.expect_soon("GET /v1/orders", NOTHING, 200);
    us.expect_soon("POST /v1/shops", &json!({"name": "shops/s1"}), 200);
    let order = json!({"name": "orders/o1", "shop": "shops/s1"});
    orders.expect_soon("POST /v1/orders", &order, 200);
    let missing = json!({"name": "orders/o2", "shop": "shops/no"});
    orders.expect("POST /v1/orders", &missing, 409);
    eu.expect("DELETE /v1/shops/s1", NOTHING, 409);
    let said = folder.run(&format!("region check --registry http://127.0.0.1:{}", registry.port));
    let expected = "Service             Region  Version  Newest that fits
meta.goten.com      eu      v1       v1
orders.example.com  eu      v1       v1
shop.example.com    eu      v1       v1
shop.example.com    us      v1       v1
";
    assert_eq!((&*said.out, &*said.err), (expected, ""));
    let services = registry.expect("GET /v1/services/shop.example.com", NOTHING, 200);
    let allowed = json!(["services/orders.example.com", "services/shop.example.com"]);
    assert_eq!(services["metadata"]["services"]["allowedServices"], allowed, "{services}");
    // Nothing changes if a withdrawal is refused.
    let said = withdraw(&folder, registry.port, "shop.example.com@us");
    assert!(said.contains("is the control region") && said.contains("withdraw the others first"), "{said}");
    let said = withdraw(&folder, registry.port, "shop.example.com@eu");
    assert!(
        said.contains("which `orders.example.com` imports there: withdraw orders.example.com@eu first"),
        "{said}"
    );
    let list = registry.expect("GET /v1/services/shop.example.com/deployments", NOTHING, 200);
    assert_eq!(list["deployments"].as_array().map(Vec::len), Some(2), "{list}");
}

#[test]
fn servers_go_on_without_the_registry_and_are_not_taken_over() {
    let folder = folder();
    let mut registry = registry(&folder);
    let mut eu = server(&folder, registry.port, SHOPS, "eu", "eu");
    eu.expect_soon("POST /v1/shops", &json!({"name": "shops/s1"}), 200);
    registry.kill();
    eu.expect("GET /v1/shops/s1", NOTHING, 200);
    eu.kill();
    eu.restart();
    eu.expect_until("GET /v1/shops/s1", NOTHING, |status, it| {
        status == 503 && it["detail"].as_str().is_some_and(|it| it.contains("cannot be reached"))
    });
    registry.restart();
    eu.expect_soon("GET /v1/shops/s1", NOTHING, 200);

    // Another store in the same region is another installation.
    let other = server(&folder, registry.port, SHOPS, "eu", "other");
    let refused = other.expect_until("GET /v1/shops", NOTHING, |status, it| {
        status == 503 && it["detail"].as_str().is_some_and(|it| it.contains("another installation"))
    });
    assert_eq!(refused["code"], "unavailable", "{refused}");
    eu.expect("GET /v1/shops/s1", NOTHING, 200);
    drop(other);

    // A registry that has lost its entries has them again when servers notice it.
    registry.kill();
    for name in folder.names().into_iter().filter(|it| it.starts_with("registry.db")) {
        std::fs::remove_file(folder.path(&name)).expect("it is removed");
    }
    registry.restart();
    registry.expect_until("GET /v1/services/shop.example.com/deployments/eu", NOTHING, |status, it| {
        status == 200 && it["publicDomain"] == format!("http://127.0.0.1:{}", eu.port)
    });
    eu.expect("GET /v1/shops/s1", NOTHING, 200);
}
