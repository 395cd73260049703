//! The owner of an account's deal book.

use crate::domain::book::Book;
use crate::runtime::directory::Directory;
use crate::runtime::env::Env;
use crate::runtime::owner::Owned;

impl Owned for Book {
    fn directory(env: &Env) -> &Directory<Self> {
        &env.directories.books
    }
}
