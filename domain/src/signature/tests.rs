//! Signatures published by the vendor of the interface, or computed independently over its samples.

use super::*;

struct Vector {
    what: &'static str,
    secret: &'static str,
    body: &'static str,
    signature: &'static str,
}

const VECTORS: [Vector; 6] = [
    Vector {
        what: "the vendor's sample of a message, 2017",
        secret: "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        body: r#"{"event_type":"new_message","payload":{"timestamp":1500035254,"msgid":"5968b8c76b84c","conversation_id":"c5968b8d25082c","sender":{"id":"U1","avatar":"https:\/\/www.amocrm.ru\/version2\/images\/logo_bill.png","name":"John","profile":{"phone":79151112233,"email":"email@domain.com"},"profile_link":"http:\/\/example.com"},"message":{"type":"text","text":"\u041f\u0440\u0438\u0432\u0435\u0442! \u0421\u043a\u043e\u043b\u044c\u043a\u043e \u0441\u0442\u043e\u0438\u0442 \u0440\u0430\u0437\u0440\u0430\u0431\u043e\u0442\u0430\u0442\u044c \u0441\u0430\u0439\u0442?"}}}"#,
        signature: "894a6bfd9141461c177baa06b9504558bbcab686",
    },
    Vector {
        what: "a connect",
        secret: "f2d7f8704eff95087ed45b23ba99c0b5aac8278e",
        body: r#"{"account_id":"52e591f7-c98f-4255-8495-827210138c81","title":"ChatsIntegration","hook_api_version":"v2"}"#,
        signature: "3fa5856b066091e4112361eb781a044085cebba5",
    },
    Vector {
        what: "a disconnect",
        secret: "f2d7f8704eff95087ed45b23ba99c0b5aac8278e",
        body: r#"{"account_id":"52e591f7-c98f-4255-8495-827210138c81"}"#,
        signature: "b20be1fbfc7e0a682aaf82ad4c2fb3188b67d0f3",
    },
    Vector {
        what: "a connect with a title",
        secret: "5a44c5dff55f3c15a4cce8d7c4cc27e207c7e189",
        body: r#"{"account_id":"af9945ff-1490-4cad-807d-945c15d88bec","title":"ScopeTitle","hook_api_version":"v2"}"#,
        signature: "657d0e9a26f54dfb1723ee4efc96549ee7ca3928",
    },
    Vector {
        what: "a callback of version 1",
        secret: "5a44c5dff55f3c15a4cce8d7c4cc27e207c7e189",
        body: r#"{"receiver":"b55770b5-974f-4dd6-8dd3-0356c08dc600","conversation_id":"a4a5ab10-ea6f-4af4-8514-a8265e5c71bd","type":"text","text":"ok","media":"","thumbnail":"","file_name":"","file_size":0}"#,
        signature: "d2236b2f87443077273a58333c0952de27ef3748",
    },
    Vector {
        what: "a callback of version 2",
        secret: "f2d7f8704eff95087ed45b23ba99c0b5aac8278e",
        body: r#"{"account_id":"52e591f7-c98f-4255-8495-827210138c81","time":1639572261,"message":{"receiver":{"id":"2ed64e26-70a1-4857-8382-bb066a076219","phone":"79161234567","email":"example.client@example.com","client_id":"my_int-1376265f-86df-4c49-a0c3-a4816df41af8"},"sender":{"id":"76fc2bea-902f-425c-9a3d-dcdac4766090"},"conversation":{"id":"8e4d4baa-9e6c-4a88-838a-5f62be227bdc","client_id":"my_int-d5a421f7f218"},"timestamp":1639572260,"msec_timestamp":1639572260980,"message":{"id":"0371a0ff-b78a-4c7b-8538-a7d547e10692","type":"text","text":"ok","markup":null,"tag":"","media":"","thumbnail":"","file_name":"","file_size":0}}}"#,
        signature: "aad080770fce1a81a30766f92d6ea2ab4471016d",
    },
];

fn secret(text: &str) -> SharedSecret {
    text.parse().unwrap()
}

#[test]
fn known_bodies_have_their_known_signatures() {
    for vector in &VECTORS {
        let secret = secret(vector.secret);
        let body = vector.body.as_bytes();
        assert_eq!(
            sign_body(&secret, body).to_string(),
            vector.signature,
            "{}",
            vector.what
        );
        assert!(
            verify_body(&secret, body, vector.signature.as_bytes()),
            "{}",
            vector.what
        );
    }
}

#[test]
fn the_published_sample_has_its_published_length() {
    assert_eq!(VECTORS[0].body.len(), 562);
}

#[test]
fn one_signer_serves_many_bodies() {
    let signer = Signer::new(&secret("key"));
    for body in ["", "a", "b", "a"] {
        assert_eq!(
            signer.sign(body.as_bytes()),
            sign_body(&secret("key"), body.as_bytes())
        );
    }
    // RFC 2202, test case 2.
    let signer = Signer::new(&secret("Jefe"));
    let signature = signer.sign(b"what do ya want for nothing?").to_string();
    assert_eq!(signature, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
}

#[test]
fn a_header_is_40_digits_of_either_case_and_nothing_else() {
    let vector = &VECTORS[0];
    let (key, body) = (secret(vector.secret), vector.body.as_bytes());
    let right = vector.signature;
    assert!(verify_body(&key, body, right.to_uppercase().as_bytes()));
    for wrong in [
        String::new(),
        right.chars().skip(1).collect(),
        format!("{right}0"),
        format!("sha1={right}"),
        format!(" {right}"),
        format!("{right} "),
        format!("\"{right}\""),
        "g".repeat(40),
        "é".repeat(20),
        "0".repeat(40),
    ] {
        assert!(!verify_body(&key, body, wrong.as_bytes()), "{wrong:?}");
    }
}

#[test]
fn any_change_of_the_body_or_the_secret_is_detected() {
    let vector = &VECTORS[2];
    let signature = vector.signature.as_bytes();
    let key = secret(vector.secret);
    for place in 0..vector.body.len() {
        let mut body = vector.body.as_bytes().to_vec();
        body[place] ^= 1;
        assert!(!verify_body(&key, &body, signature), "byte {place}");
    }
    let upper_case = secret(&vector.secret.to_uppercase());
    assert!(!verify_body(&upper_case, vector.body.as_bytes(), signature));
}

#[test]
fn a_secret_is_never_printed() {
    let key = secret("tell-nobody");
    assert_eq!(format!("{key:?}"), "***");
    assert_eq!(format!("{:?}", Signer::new(&key)), "Signer(***)");
    let error = "".parse::<SharedSecret>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a secret of 1 to 255 ASCII characters without spaces"
    );
    for text in ["a b", "a\tb", "Ключ", "a\u{7f}", &"x".repeat(256)] {
        assert!(text.parse::<SharedSecret>().is_err(), "{text:?}");
    }
    assert!("x".repeat(255).parse::<SharedSecret>().is_ok());
}

#[test]
fn secrets_are_equal_when_their_texts_are() {
    assert_eq!(secret("a"), secret("a"));
    assert_ne!(secret("a"), secret("b"));
    assert_ne!(secret("a"), secret("ab"));
    let json = serde_json::to_string(&secret("a")).unwrap();
    assert_eq!(
        serde_json::from_str::<SharedSecret>(&json).unwrap(),
        secret("a")
    );
}
