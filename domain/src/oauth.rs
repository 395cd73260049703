//! OAuth 2: programs that act for an account user, because an administrator of the account has agreed.
//!
//! An OAuth client is registered by the operator. An administrator grants it access to an account; the client exchanges
//! the authorization code of that consent for an access token and a refresh token. A grant ends when the account
//! uninstalls the client.

pub mod access_token;
pub mod acting_client;
pub mod clients;
pub mod grants;
pub mod question_token;
pub mod redirect;
pub mod scope;
