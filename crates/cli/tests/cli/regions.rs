//! A service in several regions, each served by a process of its own.

use serde_json::{Value as Json, json};

use crate::{
    run::Folder,
    serve::TOKEN,
    serve_api::other_server,
    server::{Server, free_port},
};

const FLEET: &str = "name: fleet.example.com
proto: {package: {name: example.fleet, currentVersion: v1}}
resources:
- name: Project
  multiRegion: {isPolicyHolder: true}
- name: Tag
  parents: [Project]
- name: Device
  parents: [Project]
  scopeAttributes: [Region]
  fields:
  - {path: title, type: string}
  - {path: tag, type: reference, resource: Tag, targetDeleteBehavior: UNSET}
- name: Rule
  parents: [Project]
  scopeAttributes: [Region]
  fields:
  - {path: device, type: reference, resource: Device, targetDeleteBehavior: BLOCK}
";

fn folder() -> Folder {
    Folder::new(&[("fleet.yaml", FLEET)]).variable("PLANLOOM_TOKEN", TOKEN)
}

/// The words that start the server of a region, one of several at these ports.
fn words(own: usize, regions: &[(&str, u16)]) -> String {
    let (region, port) = regions[own];
    let others = regions.iter().enumerate().filter(|(at, _)| *at != own);
    let peers: String = others
        .map(|(_, (region, port))| format!(" --peer fleet.example.com@{region}=http://127.0.0.1:{port}"))
        .collect();
    format!(
        "serve --service fleet.yaml --store {region}.db --port {port} --region {region} --control-region eu{peers} \
         --format json"
    )
}

/// Servers in the regions `eu`, which is the control region, `us` and `ap`.
fn three(folder: &Folder) -> [Server<'_>; 3] {
    let regions = [("eu", free_port()), ("us", free_port()), ("ap", free_port())];
    [0, 1, 2].map(|own| Server::start(folder, words(own, &regions), regions[own].1))
}

const NOTHING: &Json = &Json::Null;

fn names(list: &Json, field: &str) -> Vec<String> {
    let items = list[field].as_array().into_iter().flatten();
    items.filter_map(|it| Some(it["name"].as_str()?.to_owned())).collect()
}

#[test]
fn each_region_serves_what_all_have() {
    let folder = folder();
    let [eu, us, ap] = three(&folder);
    let policy = json!({"enabledRegions": ["eu", "us"], "defaultControlRegion": "us"});
    let project = json!({"name": "projects/p1", "multiRegionPolicy": policy});
    let created = ap.expect("POST /v1/projects", &project, 200);
    let syncing = json!({"owningRegion": "eu", "regions": ["ap", "eu", "us"]});
    assert_eq!(created["metadata"]["syncing"], syncing, "{created}");
    for region in [&us, &ap] {
        region.expect_soon("GET /v1/projects/p1", NOTHING, 200);
    }

    // Whatever server a request reaches, the region that owns the resource writes it.
    let tag = eu.expect("POST /v1/projects/p1/tags", &json!({"name": "projects/p1/tags/t1"}), 200);
    assert_eq!(tag["metadata"]["syncing"], json!({"owningRegion": "us", "regions": ["eu", "us"]}), "{tag}");
    for (server, region, id) in [(&eu, "us", "d1"), (&us, "eu", "d2"), (&ap, "us", "d3")] {
        let device = json!({"name": format!("projects/p1/regions/{region}/devices/{id}"), "title": id});
        server.expect(&format!("POST /v1/projects/p1/regions/{region}/devices"), &device, 200);
    }
    let device = json!({"name": "projects/p1/regions/ap/devices/d4"});
    let refused = us.expect("POST /v1/projects/p1/regions/ap/devices", &device, 409);
    assert_eq!(refused["violations"][0]["message"], "`projects/p1` is not in region `ap`", "{refused}");

    // A region that the policy does not enable has no copies, and asks those that have them.
    let path = "/v1/projects/p1/regions/us/devices/d1";
    let read = ap.expect(&format!("GET {path}"), NOTHING, 200);
    assert_eq!((&read["title"], &read["metadata"]["syncing"]["owningRegion"]), (&json!("d1"), &json!("us")));
    eu.expect_soon(&format!("GET {path}"), NOTHING, 200);
    eu.expect_soon("GET /v1/projects/p1/regions/us/devices/d3", NOTHING, 200);
    us.expect_soon("GET /v1/projects/p1/regions/eu/devices/d2", NOTHING, 200);
    let all = [
        "projects/p1/regions/eu/devices/d2",
        "projects/p1/regions/us/devices/d1",
        "projects/p1/regions/us/devices/d3",
    ];
    for server in [&eu, &us, &ap] {
        let list = server.expect("GET /v1/projects/p1/regions/-/devices", NOTHING, 200);
        assert_eq!(names(&list, "devices"), all, "{list}");
    }

    // Several owners: the pages of all regions are one list.
    for server in [&eu, &us, &ap] {
        let (mut found, mut token) = (Vec::new(), String::new());
        loop {
            let query =
                format!("/v1/projects/-/regions/-/devices?pageSize=2&orderBy=title%20desc&pageToken={token}");
            let page = server.expect(&format!("GET {query}"), NOTHING, 200);
            assert!(page.get("itemTokens").is_none(), "{page}");
            let titles = page["devices"].as_array().expect("devices").iter();
            found.extend(titles.map(|it| it["title"].as_str().expect("a title").to_owned()));
            match page["nextPageToken"].as_str() {
                Some(next) => token = next.to_owned(),
                None => break,
            }
        }
        assert_eq!(found, ["d3", "d2", "d1"]);
        let query = "/v1/devices:batchGet?names=projects/p1/regions/eu/devices/d2&names=projects/p1/regions/us/devices/d1&\
                     names=projects/p1/regions/us/devices/no";
        let batch = server.expect(&format!("GET {query}"), NOTHING, 200);
        assert_eq!(names(&batch, "devices"), all[..2], "{batch}");
        assert_eq!(batch["missing"], json!(["projects/p1/regions/us/devices/no"]), "{batch}");
    }

    // A filter for what one region owns is executed there.
    let query = "filter=metadata.syncing.owningRegion%20%3D%20%22us%22";
    let list = ap.expect(&format!("GET /v1/projects/-/regions/-/devices?{query}"), NOTHING, 200);
    assert_eq!(names(&list, "devices"), all[1..], "{list}");

    // What is written through a copy has the version of its owner.
    let titled = |title: &str| json!({"title": title});
    eu.expect(&format!("PUT {path}?updateMask=title"), &titled("new"), 200);
    eu.expect_until(&format!("GET {path}"), NOTHING, |_, it| it["title"] == "new");

    // A region that a policy adds or removes gets copies, or loses them.
    let policy = json!({"enabledRegions": ["ap", "us"], "defaultControlRegion": "us"});
    us.expect("PUT /v1/projects/p1?updateMask=multiRegionPolicy", &json!({"multiRegionPolicy": policy}), 200);
    let has = |regions: Json| move |_: u16, it: &Json| it["metadata"]["syncing"]["regions"] == regions;
    ap.expect_until(&format!("GET {path}"), NOTHING, has(json!(["ap", "us"])));
    eu.expect_until(&format!("GET {path}"), NOTHING, has(json!(["ap", "us"])));
    ap.expect(
        "POST /v1/projects/p1/regions/ap/devices",
        &json!({"name": "projects/p1/regions/ap/devices/d4"}),
        200,
    );
}

#[test]
fn policies_of_regions_are_checked() {
    let folder = folder();
    let [eu, us, _ap] = three(&folder);
    let project = |regions: Json, control: &str| json!({"name": "projects/p1", "multiRegionPolicy": {"enabledRegions": regions, "defaultControlRegion": control}});
    let refused = us.expect("POST /v1/projects", &project(json!(["eu", "moon"]), "us"), 400);
    let found: Vec<_> = refused["violations"].as_array().expect("violations").iter().collect();
    assert_eq!(found[0]["message"], "the default control region `us` is not enabled", "{refused}");
    assert_eq!(found[1]["message"], "the service is not in region `moon`", "{refused}");
    us.expect("POST /v1/projects", &project(json!(["eu", "us"]), "us"), 200);
    eu.expect("PUT /v1/projects/p1", &project(json!(["eu", "us", "ap"]), "us"), 200);
    let refused = eu.expect("PUT /v1/projects/p1", &project(json!(["eu", "us"]), "eu"), 400);
    assert_eq!(refused["violations"][0]["field"], "#/multiRegionPolicy/defaultControlRegion", "{refused}");
}

#[test]
fn a_method_is_executed_in_the_region_that_its_request_names() {
    let service = FLEET.replace(
        "- name: Rule\n",
        "  actions:
  - name: ResetDevices
    verb: reset
    opResourceInfo: {isCollection: true, requestPaths: {resourceParent: [parent]}}
    withStoreHandle: {transaction: NONE}
    multiRegionRouting: {regionIdFieldPaths: [region]}
- name: Rule\n",
    );
    let folder = Folder::new(&[("fleet.yaml", &service)]).variable("PLANLOOM_TOKEN", TOKEN);
    let responses = &[
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12\r\nConnection: close\r\n\r\n{\"count\": 7}",
    ];
    let (origin, requests) = other_server(responses);
    let regions = [("eu", free_port()), ("us", free_port())];
    let eu = Server::start(&folder, words(0, &regions), regions[0].1);
    let with_hook = format!("{} --hook DeviceService/ResetDevices={origin}/reset", words(1, &regions));
    let _us = Server::start(&folder, with_hook, regions[1].1);
    let reset = |region: &str, status: u16| {
        let path = "POST /v1/projects/p1/regions/-/devices:reset";
        eu.expect(path, &json!({"region": region}), status)
    };
    assert_eq!(reset("us", 200), json!({"count": 7}));
    assert!(requests.recv().expect("a request").contains("us"));
    reset("eu", 501);
    let refused = reset("moon", 409);
    assert!(refused["detail"].as_str().is_some_and(|it| it.contains("moon")), "{refused}");
}

#[test]
fn a_region_says_how_it_does() {
    let folder = folder();
    let [eu, us, mut ap] = three(&folder);
    eu.expect("POST /v1/projects", &json!({"name": "projects/p1"}), 200);
    us.expect_soon("GET /v1/projects/p1", NOTHING, 200);
    let [eu, us, at] = [&eu, &us, &ap].map(|it| format!("http://127.0.0.1:{}", it.port));
    let said = folder.run(&format!("region status {eu} {us} {at}"));
    assert_eq!(said.code, 0, "{}", said.err);
    let mut lines = said.out.lines();
    assert_eq!(lines.next(), Some("fleet.example.com  ap, eu (control region), us"), "{}", said.out);
    assert!(
        lines.next().is_some_and(|it| it.starts_with("Server ") && it.contains("Region  Revision  Copies")),
        "{}",
        said.out
    );
    assert!(lines.next().is_some_and(|it| it.starts_with(&*eu)), "{}", said.out);
    ap.kill();
    let said = folder.run(&format!("region status {us} {at}"));
    assert_eq!(said.code, 1);
    assert!(said.err.contains(&format!("`{at}`: cannot be reached")), "{}", said.err);
    assert!(said.out.contains(&format!("\n{us} ")), "{}", said.out);
}

#[test]
fn references_hold_between_regions() {
    let folder = folder();
    let [eu, us, ap] = three(&folder);
    ap.expect("POST /v1/projects", &json!({"name": "projects/p1"}), 200);
    us.expect_soon("GET /v1/projects/p1", NOTHING, 200);
    ap.expect_soon("GET /v1/projects/p1", NOTHING, 200);
    us.expect("POST /v1/projects/p1/tags", &json!({"name": "projects/p1/tags/t1"}), 200);
    let device = json!({"name": "projects/p1/regions/us/devices/d1", "tag": "projects/p1/tags/t1"});
    us.expect("POST /v1/projects/p1/regions/us/devices", &device, 200);
    let rule = |id: &str, device: &str| json!({"name": format!("projects/p1/regions/ap/rules/{id}"), "device": format!("projects/p1/regions/us/devices/{device}")});
    let refused = eu.expect("POST /v1/projects/p1/regions/ap/rules", &rule("r1", "no"), 409);
    let missing = "`projects/p1/regions/us/devices/no` does not exist";
    assert_eq!(refused["violations"][0]["message"], missing, "{refused}");
    eu.expect("POST /v1/projects/p1/regions/ap/rules", &rule("r1", "d1"), 200);
    let blocked = eu.expect("DELETE /v1/projects/p1/regions/us/devices/d1", NOTHING, 409);
    assert_eq!(blocked["violations"][0]["field"], "projects/p1/regions/ap/rules/r1", "{blocked}");
    // The tag is in the control region, the device that refers to it in another one.
    ap.expect("DELETE /v1/projects/p1/tags/t1", NOTHING, 200);
    us.expect_until("GET /v1/projects/p1/regions/us/devices/d1", NOTHING, |_, it| it.get("tag").is_none());
    // A deletion in one region deletes what is below it in the others, and their copies.
    us.expect("DELETE /v1/projects/p1/regions/ap/rules/r1", NOTHING, 200);
    ap.expect("DELETE /v1/projects/p1", NOTHING, 200);
    for server in [&eu, &us, &ap] {
        server.expect_soon("GET /v1/projects/p1/regions/us/devices/d1", NOTHING, 404);
        server.expect_soon("GET /v1/projects/p1", NOTHING, 404);
    }
}

#[test]
fn regions_are_killed_and_come_back() {
    let folder = folder();
    let [eu, mut us, mut ap] = three(&folder);
    eu.expect("POST /v1/projects", &json!({"name": "projects/p1"}), 200);
    us.expect_soon("GET /v1/projects/p1", NOTHING, 200);
    ap.kill();
    // What only another region may write waits for that.
    let device =
        |region: &str, id: &str| json!({"name": format!("projects/p1/regions/{region}/devices/{id}")});
    us.expect("POST /v1/projects/p1/regions/ap/devices", &device("ap", "d1"), 503);
    us.expect("POST /v1/projects/p1/regions/us/devices", &device("us", "d2"), 200);
    us.kill();
    us.restart();
    us.expect("POST /v1/projects/p1/regions/us/devices", &device("us", "d3"), 200);
    us.expect("DELETE /v1/projects/p1/regions/us/devices/d2", NOTHING, 200);
    ap.restart();
    ap.expect_until("GET /v1/projects/p1/regions/-/devices", NOTHING, |_, it| {
        names(it, "devices") == ["projects/p1/regions/us/devices/d3"]
    });
    us.expect("POST /v1/projects/p1/regions/ap/devices", &device("ap", "d1"), 200);
    eu.expect_soon("GET /v1/projects/p1/regions/ap/devices/d1", NOTHING, 200);
}

#[test]
fn regions_that_cannot_be_are_refused_at_the_start() {
    let folder = folder();
    let peer = "--peer fleet.example.com@us=http://127.0.0.1:1";
    for (options, message) in [
        (
            format!("--region eu {peer}"),
            "`fleet.example.com` is in several regions, and none of them is its control region",
        ),
        (
            format!("--region eu --control-region ap {peer}"),
            "`fleet.example.com` is not in the control region `ap`",
        ),
        (
            format!("--region us --control-region us {peer}"),
            "`fleet.example.com` is served here, so it has no other address",
        ),
        (
            "--region eu --peer fleet.example.com@=http://127.0.0.1:1".to_owned(),
            "`fleet.example.com@=http://127.0.0.1:1` is not a service with its address",
        ),
    ] {
        let said = folder.run(&format!("serve --service fleet.yaml {options}"));
        assert!(
            said.code == 1 && said.err.starts_with(&format!("error[host/peer]: {message}")),
            "{}",
            said.err
        );
    }
}
