//! A client exchanges an authorization code for its first tokens (RFC 6749, 4.1.3).

use crate::Decision;
use crate::account::users::TokenHash;
use crate::id::OauthClientId;
use crate::oauth::grants::Grants;
use crate::oauth::grants::event::GrantsEvent;
use crate::oauth::grants::grant::{Code, UsedBy};
use crate::oauth::grants::refresh::{Issued, issued};
use crate::oauth::grants::rejection::{GrantType, TokenRejection};
use crate::oauth::redirect::PkceText;
use switchboard_engine::state::{Command, Moment};

/// A client exchanges a code. Its secret was right.
#[derive(Clone)]
pub struct ExchangeCode {
    /// The client.
    pub client: OauthClientId,
    /// The code.
    pub code: TokenHash,
    /// The redirect address of the request; empty when the request has none.
    pub redirect_uri: String,
    /// The proof that the client began the consent.
    pub verifier: Option<PkceText>,
    /// The request.
    pub by: UsedBy,
}

impl Command for ExchangeCode {
    type Of = Grants;
    type Reply = Issued;
    type Rejection = TokenRejection;

    fn decide(
        self,
        state: &Grants,
        moment: &mut Moment<'_, GrantsEvent>,
    ) -> Result<Decision<GrantsEvent, Issued>, TokenRejection> {
        let code = state.usable_code(self.client, &self.code)?;
        if code.expires_at() <= moment.now {
            return Err(TokenRejection::Expired(GrantType::Code, code.expires_at()));
        }
        if code.redirect_uri.as_str() != self.redirect_uri {
            return Err(TokenRejection::OtherRedirect {
                given: excerpt(&self.redirect_uri),
                expected: code.redirect_uri.to_string(),
            });
        }
        match (&code.challenge, &self.verifier) {
            (None, None) => {}
            // RFC 9700, 2.1.1: else a code of a consent without a challenge could be planted on the client.
            (None, Some(_)) => return Err(TokenRejection::UnexpectedVerifier),
            (Some(_), None) => return Err(TokenRejection::NoVerifier),
            (Some(challenge), Some(verifier)) if challenge.fits(verifier) => {}
            (Some(_), Some(_)) => return Err(TokenRejection::OtherVerifier),
        }
        let (refresh, issued) = issued(state, self.client, code.user, moment);
        let event = GrantsEvent::CodeUsed {
            client: self.client,
            code: self.code,
            by: self.by,
            refresh,
        };
        Ok(Decision::event(event, issued))
    }
}

/// The beginning of a text from a request, for people to read.
fn excerpt(text: &str) -> String {
    let plain = text.chars().filter(|letter| !letter.is_control());
    plain.take(255).collect()
}

impl Grants {
    /// The code with this hash, if the client may still exchange it, whatever its age.
    fn usable_code(
        &self,
        client: OauthClientId,
        hash: &TokenHash,
    ) -> Result<&Code, TokenRejection> {
        let grant_type = GrantType::Code;
        let code_record = self.grant_with(client, grant_type, |grant| grant.code(hash))?;
        let code = code_record.ok_or_else(|| self.unknown(client, hash, grant_type))?;
        match &code.used_by {
            Some(by) => Err(TokenRejection::Used(grant_type, by.clone())),
            None => Ok(code),
        }
    }
}
