//! The verdict on a signature, for the operator: who may know every secret anyway may know what was expected.

use std::borrow::Cow;

use switchboard_actors::KnownChannel;
use switchboard_actors::domain::generation::Generation;
use switchboard_actors::domain::signature::Signer;
use switchboard_actors::domain::signature::request::{Presented, content_md5};
use switchboard_actors::domain::time::UnixMillis;

use crate::extract::signed;
use crate::state::AppState;
use switchboard_diagnosis::hint::Hint;

view! {
    // The verdict on the value of `X-Signature`, as it was or would have been at `then`.
    pub(super) struct SignatureVerdict<'v>(
        state: &AppState,
        channel: &KnownChannel,
        presented: &Presented<'_>,
        given: Option<&'v [u8]>,
        then: UnixMillis
    ) [
        let pinned = channel.channel.settings.generation;
        let signature = given.map(<[u8]>::trim_ascii);
        let proven = signature.and_then(|signature| channel.proves(presented, signature, pinned, then));
        let mistake = || signed::hint(state, &channel.channel, presented, signature, pinned, state.now());
        let likely = proven.is_none().then(mistake);
    ] {
        given: Option<Cow<'v, str>> = signature.map(String::from_utf8_lossy),
        is_right: bool = proven.is_some(),
        /// The generation that the signature proves.
        generation: Option<Generation> = proven,
        /// The likely mistake; null if the signature is valid.
        hint: Option<String> = likely.as_ref().map(|hint| hint.text().into_owned()),
        /// The same mistake as a code with its details, for pages in other languages.
        mistake: Option<Hint> = likely,
        expected: Expected = Expected::new(channel, presented),
        /// The text that the current generation signs; null without a date.
        signed_text: Option<String> = presented.date.map(|_| text(presented)),
    }

    #[schemars(inline)]
    struct Expected(channel: &KnownChannel, presented: &Presented<'_>) [
        let signer = Signer::new(&channel.channel.secret);
        let md5 = content_md5(presented.body);
        let canonical = presented.canonical(md5.as_bytes()).sign(&signer);
    ] {
        /// The signature of the 2019 generation.
        raw_body: String = signer.sign(presented.body).to_string(),
        /// The signature of the current generation; null without a date.
        canonical: Option<String> = presented.date.map(|_| canonical.to_string()),
        content_md5: String = md5,
    }
}

fn text(presented: &Presented<'_>) -> String {
    let md5 = content_md5(presented.body);
    String::from_utf8_lossy(&presented.canonical(md5.as_bytes()).text()).into_owned()
}
