//! A list of items that are put on it and taken off.

use serde::{Deserialize, Serialize};
use switchboard_engine::entries::{IndexEntries, Key, Keys};
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;
use switchboard_engine::state::{Command, Decision, Moment, State};
use switchboard_engine::stream::StreamKind;

use super::{Answer, Rejection, Request, Toys, kinds, recorded, request, tables};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct List {
    pub(crate) id: u8,
    pub(crate) count: u64,
}

/// An item was put on the list, or taken off it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Written {
    pub(crate) request: Request,
    pub(crate) name: u8,
    /// `None`: it was taken off.
    pub(crate) value: Option<u64>,
    /// The number of records that the list had with the last of this request.
    pub(crate) count: u64,
}

/// Returns the key of the records of an item.
pub(crate) fn item(list: u8, name: u8) -> Key {
    Key::new("item", &(list, name))
}

impl State for List {
    type Id = u8;
    type Event = Written;
    type Notice = ();
    const KIND: StreamKind = kinds::LIST;

    fn initial(id: &u8) -> Self {
        Self { id: *id, count: 0 }
    }

    fn apply(&mut self, _: &Written) {
        self.count += 1;
    }

    fn index(&self, event: &Written, entries: &mut IndexEntries) {
        entries.key(request(kinds::LIST, self.id, event.request));
        entries.key(item(self.id, event.name));
        let key = vec![self.id, event.name];
        match event.value {
            Some(value) => entries.put(tables::ITEMS, key, value.to_be_bytes().to_vec()),
            None => entries.delete(tables::ITEMS, key),
        }
    }
}

impl Owned<Toys> for List {
    fn directory(world: &Toys) -> &Directory<Self, Toys> {
        &world.lists
    }
}

/// Items are written: all of them or none. One that is taken off has to be there.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    pub(crate) request: Request,
    pub(crate) list: u8,
    pub(crate) items: Vec<(u8, Option<u64>)>,
}

impl Command for Write {
    type Of = List;
    type Reply = Answer;
    type Rejection = Rejection;

    fn required_keys(&self, _: &List) -> Keys {
        let items = self.items.iter().map(|(name, _)| item(self.list, *name));
        let first = request(kinds::LIST, self.list, self.request);
        [first].into_iter().chain(items).collect()
    }

    fn decide(
        self,
        list: &List,
        moment: &mut Moment<'_, Written>,
    ) -> Result<Decision<Written, Answer>, Rejection> {
        let (repeated, items) = moment.earlier.split_first().unwrap();
        if let Some(before) = repeated {
            return Ok(Decision::unchanged(Answer {
                count: before.event.count,
                value: 0,
            }));
        }
        let count = list.count + u64::try_from(self.items.len()).unwrap();
        let mut events = Vec::new();
        for ((name, value), before) in self.items.into_iter().zip(items) {
            let is_there = before
                .as_ref()
                .is_some_and(|before| before.event.value.is_some());
            if value.is_none() && !is_there {
                return Err(Rejection::Missing);
            }
            let event = Written {
                request: self.request,
                name,
                value,
                count,
            };
            events.push(recorded(event, self.request));
        }
        Ok(Decision::events(events, Answer { count, value: 0 }))
    }
}
