//! Starts the page.

fn main() {
    planloom_web::app::start();
}
