//! The numbers that bodies name, found before the bodies are read.

use std::collections::BTreeSet;

use crate::account_body::items::{ENTRIES_MAX, Items};
use crate::domain::crm::tag::TAGS_MAX;
use crate::domain::id::{ContactId, TagId};
use crate::json::node::{self, Node};

/// The numbers that a body names, to be looked up before it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// Of contacts.
    pub contacts: BTreeSet<ContactId>,
    /// Of tags.
    pub tags: BTreeSet<TagId>,
}

impl Numbers {
    /// Those in a body; what is wrong with it is reported when it is read.
    #[must_use]
    pub fn parse(body: &[u8]) -> Self {
        let mut numbers = Self::default();
        let Ok(root) = node::parse(body) else {
            return numbers;
        };
        let Ok(items) = Items::new(&root, "items", ENTRIES_MAX) else {
            return numbers;
        };
        for item in items.nodes() {
            let contacts = ids(contacts(item)).map(ContactId);
            numbers.contacts.extend(contacts.take(1));
            numbers.create_tags(item);
        }
        numbers
    }

    /// Those that the new contacts in a body of leads name.
    #[must_use]
    pub fn parse_embedded(body: &[u8]) -> Self {
        Self::parse_in(body, "contacts")
    }

    /// Those that the leads in a body of unsorted leads name.
    #[must_use]
    pub fn parse_unsorted(body: &[u8]) -> Self {
        Self::parse_in(body, "leads")
    }

    /// Those that the first one in a list within each item names.
    fn parse_in(body: &[u8], list: &str) -> Self {
        let mut numbers = Self::default();
        let Ok(root) = node::parse(body) else {
            return numbers;
        };
        let Ok(items) = Items::new(&root, "items", ENTRIES_MAX) else {
            return numbers;
        };
        for item in items.nodes() {
            let embedded = field(item, "_embedded");
            if let Some(Node::List(entries)) = embedded.and_then(|it| field(it, list)) {
                let first = entries.iter().take(1);
                first.for_each(|it| numbers.create_tags(it));
            }
        }
        numbers
    }

    fn create_tags(&mut self, item: &Node<'_>) {
        let embedded = field(item, "_embedded").and_then(|embedded| field(embedded, "tags"));
        for list in [
            embedded,
            field(item, "tags_to_add"),
            field(item, "tags_to_delete"),
        ] {
            let tags = ids(list).filter(|tag| *tag <= TAGS_MAX);
            self.tags.extend(tags.map(TagId));
        }
    }
}

/// The contacts that an item has in it.
fn contacts<'n, 'a>(item: &'n Node<'a>) -> Option<&'n Node<'a>> {
    field(field(item, "_embedded")?, "contacts")
}

/// The numbers in a list.
fn ids<'n>(list: Option<&'n Node<'_>>) -> impl Iterator<Item = u64> + 'n {
    let entries: &[Node<'_>] = match list {
        Some(Node::List(entries)) => entries,
        Some(_) | None => &[],
    };
    entries.iter().filter_map(id)
}

/// The number that an object of a body has as its `id`.
pub(in crate::account_body) fn id(entry: &Node<'_>) -> Option<u64> {
    match field(entry, "id") {
        Some(Node::Unsigned(id)) => Some(*id),
        Some(_) | None => None,
    }
}

fn field<'n, 'a>(node: &'n Node<'a>, name: &str) -> Option<&'n Node<'a>> {
    match node {
        Node::Object(object) => object.get(name),
        Node::Null | Node::Bool(_) | Node::Unsigned(_) | Node::Negative(_) => None,
        Node::Float(_) | Node::Text(_) | Node::List(_) => None,
    }
}
