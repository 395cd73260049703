//! The history in all records together, worked out without the engine.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use switchboard_engine::entries::Key;
use switchboard_engine::store::Record;

use crate::product::depot::{Depot, Moved};
use crate::product::list::{List, Written, item};
use crate::product::shop::{Shop, Traded};
use crate::product::{Answer, Request, blob, kinds, request};

/// The records of one request.
#[derive(Clone, Debug, Default)]
pub(super) struct Stored {
    /// The answers, by the records.
    pub(super) answer: Option<Answer>,
    /// The last of them.
    pub(super) last: u64,
    moved: Option<(u64, Moved, u8)>,
    traded: Option<(u64, Traded, u8)>,
    written: Vec<(u64, Written, u8)>,
}

/// All that was stored.
#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) requests: BTreeMap<Request, Stored>,
    pub(super) depots: BTreeMap<u8, Depot>,
    pub(super) shops: BTreeMap<u8, Shop>,
    pub(super) lists: BTreeMap<u8, List>,
    pub(super) stock: BTreeMap<Vec<u8>, Vec<u8>>,
    pub(super) arrivals: BTreeMap<Vec<u8>, Vec<u8>>,
    pub(super) items: BTreeMap<Vec<u8>, Vec<u8>>,
    last: u64,
}

fn event<E: DeserializeOwned>(record: &Record) -> Result<E, String> {
    serde_json::from_slice(&record.event).map_err(|error| error.to_string())
}

impl History {
    /// The next record.
    pub(super) fn take(&mut self, record: &Record) -> Result<(), String> {
        let seq = record.seq.0;
        if seq != self.last + 1 {
            return Err(format!("record {seq} comes after {}", self.last));
        }
        self.last = seq;
        let id = record.stream.id()[0];
        let of = if record.stream.is(kinds::DEPOT) {
            self.moved(seq, id, event(record)?)?
        } else if record.stream.is(kinds::SHOP) {
            self.traded(seq, id, event(record)?)?
        } else {
            self.written(seq, id, event(record)?)?
        };
        if record.blob != blob(of) {
            return Err(format!("record {seq} has the bytes of another"));
        }
        Ok(())
    }

    fn moved(&mut self, seq: u64, id: u8, moved: Moved) -> Result<Request, String> {
        let depot = self.depots.entry(id).or_insert(Depot {
            id,
            left: 0,
            count: 0,
        });
        depot.count += 1;
        depot.left = match moved.shop {
            None => depot.left.wrapping_add(moved.pieces),
            Some(_) => depot.left.wrapping_sub(moved.pieces),
        };
        if (depot.left, depot.count) != (moved.left, moved.count) {
            return Err(format!(
                "record {seq} does not follow: {moved:?}, {depot:?}"
            ));
        }
        (self.stock).insert(vec![id], moved.left.to_be_bytes().to_vec());
        let of = moved.request;
        let request = self.requests.entry(of).or_default();
        request.last = seq;
        request.answer = Some(moved.answer());
        match request.moved.replace((seq, moved, id)) {
            Some(before) => Err(format!("record {seq} is there twice: {before:?}")),
            None => Ok(of),
        }
    }

    fn traded(&mut self, seq: u64, id: u8, traded: Traded) -> Result<Request, String> {
        let shop = self.shops.entry(id).or_insert(Shop {
            id,
            pieces: 0,
            count: 0,
        });
        shop.count += 1;
        shop.pieces = match traded.depot {
            Some(_) => shop.pieces.wrapping_add(traded.pieces),
            None => shop.pieces.wrapping_sub(traded.pieces),
        };
        if (shop.pieces, shop.count) != (traded.after, traded.count) {
            return Err(format!(
                "record {seq} does not follow: {traded:?}, {shop:?}"
            ));
        }
        let of = traded.request;
        let request = self.requests.entry(of).or_default();
        request.last = seq;
        if traded.depot.is_some() {
            let number = traded.count.to_be_bytes();
            let key = [id].into_iter().chain(number).collect();
            (self.arrivals).insert(key, of.0.to_be_bytes().to_vec());
        } else {
            request.answer = Some(traded.answer());
        }
        match request.traded.replace((seq, traded, id)) {
            Some(before) => Err(format!("record {seq} is there twice: {before:?}")),
            None => Ok(of),
        }
    }

    fn written(&mut self, seq: u64, id: u8, written: Written) -> Result<Request, String> {
        let list = self.lists.entry(id).or_insert(List { id, count: 0 });
        list.count += 1;
        if list.count > written.count {
            return Err(format!(
                "record {seq} does not follow: {written:?}, {list:?}"
            ));
        }
        let key = vec![id, written.name];
        let had = match written.value {
            Some(value) => self.items.insert(key, value.to_be_bytes().to_vec()),
            None => self.items.remove(&key),
        };
        if written.value.is_none() && had.is_none() {
            return Err(format!(
                "record {seq} takes off what is not there: {written:?}"
            ));
        }
        let of = written.request;
        let request = self.requests.entry(of).or_default();
        request.last = seq;
        request.answer.get_or_insert(Answer {
            count: written.count,
            value: 0,
        });
        request.written.push((seq, written, id));
        Ok(of)
    }

    /// Every change of several owners is there with all its parts, side by side, and so is every list of items.
    pub(super) fn is_whole(&self) -> Result<(), String> {
        for (of, stored) in &self.requests {
            let wrong = |what: &str| Err(format!("{of:?} {what}: {stored:?}"));
            let mut places: Vec<u64> = stored.written.iter().map(|part| part.0).collect();
            places.extend(stored.moved.iter().map(|part| part.0));
            places.extend(stored.traded.iter().map(|part| part.0));
            if places.windows(2).any(|pair| pair[0] + 1 != pair[1]) {
                return wrong("is not in one place");
            }
            let ships = stored.moved.as_ref().and_then(|(_, moved, depot)| {
                let shop = moved.shop?;
                Some((*depot, shop, moved.pieces))
            });
            let arrives = stored.traded.as_ref().and_then(|(_, traded, shop)| {
                let depot = traded.depot?;
                Some((depot, *shop, traded.pieces))
            });
            if ships != arrives {
                return wrong("is there in half");
            }
            if let Some((_, last, list)) = stored.written.last() {
                let alone = stored.moved.is_none() && stored.traded.is_none();
                let complete = stored.written.iter().all(|part| part.2 == *list);
                if !complete || (!alone && (ships.is_none() || stored.written.len() != 1)) {
                    return wrong("is mixed up");
                }
                let before = last
                    .count
                    .checked_sub(u64::try_from(stored.written.len()).unwrap());
                if before.is_none() {
                    return wrong("counts wrong");
                }
            }
        }
        Ok(())
    }

    /// Every key with the newest record that it leads to.
    pub(super) fn keys(&self) -> BTreeMap<Key, u64> {
        let mut keys = BTreeMap::new();
        let mut newest = |key: Key, seq: u64| {
            let before = keys.entry(key).or_insert(seq);
            *before = seq.max(*before);
        };
        for (of, stored) in &self.requests {
            if let Some((seq, _, id)) = &stored.moved {
                newest(request(kinds::DEPOT, *id, *of), *seq);
            }
            if let Some((seq, _, id)) = &stored.traded {
                newest(request(kinds::SHOP, *id, *of), *seq);
            }
            for (seq, written, id) in &stored.written {
                newest(request(kinds::LIST, *id, *of), *seq);
                newest(item(*id, written.name), *seq);
            }
        }
        keys
    }
}
