//! Hooks of an account come by a path with a secret, unverified, and go to their own address.

use reqwest::Client;

use super::setup;
use crate::support::receiver::Receiver;

const SECRET_PATH: &str = "/relay/account/0123456789abcdef";

#[tokio::test]
async fn a_form_of_a_known_account_is_passed_on_unverified() {
    let (bridge, program) = (Receiver::start().await, Receiver::start().await);
    let lines = format!(
        "account_hooks_from = \"{SECRET_PATH}\"\naccount_hooks_to = \"{}\"\naccounts = [\"77\"]\n",
        program.webhook("forms").replace("/:scope_id", "")
    );
    let server = setup(&bridge.webhook("in"), &lines).start().await;
    let post = async |path: &str, form: &'static str, id: &str| {
        let request = Client::new()
            .post(format!("{}{path}", server.url()))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("X-Amocrm-Requestid", id);
        request.body(form).send().await.unwrap().status().as_u16()
    };
    let form = "leads%5Badd%5D%5B0%5D%5Bid%5D=1&account%5Bid%5D=77&account%5Bsubdomain%5D=x";
    assert_eq!(post(SECRET_PATH, form, "one").await, 200);
    assert_eq!(post(SECRET_PATH, form, "one").await, 200);
    assert_eq!(post(SECRET_PATH, form, "two").await, 200);
    assert_eq!(post(SECRET_PATH, "account%5Bid%5D=78", "three").await, 404);
    assert_eq!(post(SECRET_PATH, "", "four").await, 404);
    assert_eq!(
        post("/relay/account/0123456789abcdee", form, "five").await,
        404
    );
    let requests = program.requests(2).await;
    for (request, id) in requests.iter().zip(["one", "two"]) {
        assert_eq!(request.target, "/forms");
        assert_eq!(request.body, form.as_bytes());
        assert_eq!(request.header("x-relay-unverified"), Some("1"));
        assert_eq!(request.header("webhook-id"), Some(id));
        assert_eq!(request.header("x-signature"), None);
    }
    assert_eq!((requests.len(), bridge.connections()), (2, 0));
    assert!(!server.log().contains("0123456789abcdef"));
}
