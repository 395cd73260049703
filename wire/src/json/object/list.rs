//! Reads the objects of arrays, and reports each item that is none.

use super::{Nulls, ObjectReader};
use crate::domain::violation::ViolationCode;
use crate::json::node::Node;
use crate::json::path::{Path, Report};

/// Reads the items of one array of objects.
#[derive(Clone, Copy)]
pub struct ListReader<'r, 'a> {
    pub(super) items: &'r [Node<'a>],
    pub(super) path: Path<'r>,
    pub(super) nulls: Nulls,
    pub(super) report: &'r Report,
}

impl<'r, 'a> ListReader<'r, 'a> {
    /// The number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    fn item<'s>(&'s self, index: usize, node: &'s Node<'a>) -> Option<ObjectReader<'s, 'a>> {
        let path = self.path.item(index);
        let Node::Object(object) = node else {
            let detail = format!("expected an object, found {}", node.kind());
            self.report.add(&path, ViolationCode::InvalidType, detail);
            return None;
        };
        Some(ObjectReader::new(object, path, self.nulls, self.report))
    }

    /// The result of `take` for each item; an item that is no object is reported, and `None`.
    pub fn each<T>(
        &self,
        mut take: impl FnMut(&ObjectReader<'_, 'a>) -> Option<T>,
    ) -> Vec<Option<T>> {
        let items = self.items.iter().enumerate();
        items
            .map(|(index, node)| take(&self.item(index, node)?))
            .collect()
    }

    /// A reader for each item; an item that is no object is reported and passed over.
    pub fn objects<'s>(&'s self) -> impl Iterator<Item = ObjectReader<'s, 'a>> {
        let items = self.items.iter().enumerate();
        items.filter_map(|(index, node)| self.item(index, node))
    }
}
