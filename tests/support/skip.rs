//! Tests that need more than every machine has.

/// Says why a test cannot run here. Where everything has to run (`REQUIRE_ALL=1`), that is a failure.
pub fn skipped(why: &str) {
    let all = std::env::var("REQUIRE_ALL").is_ok_and(|value| value == "1");
    assert!(!all, "REQUIRE_ALL is set, but this cannot run: {why}");
    println!("skipped: {why}");
}
