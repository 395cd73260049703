//! Changes what is stored.

mod leftovers;

use serde_json::{Value, json};
use switchboard_actors::domain::kinds;
use switchboard_engine::stream::StreamKind;
use switchboard_engine::testkit::simulation::DiskContent;
use switchboard_engine::testkit::simulation::history::{Page, read, rewritten};

use crate::plants::Forgery;

/// The same store with another past; `None` when there is nothing yet that could be changed so.
pub(crate) fn forge(stored: &DiskContent, forgery: Forgery) -> Option<DiskContent> {
    let mut pages = read(&stored.disk);
    change(&mut pages, forgery)?;
    Some(rewritten(stored, &pages))
}

/// Returns whether callbacks of disconnected scopes still wait: the process ended before it had cancelled them.
pub(crate) fn has_leftovers(stored: &DiskContent) -> bool {
    !leftovers::find(&read(&stored.disk)).is_empty()
}

fn change(pages: &mut Vec<Page>, forgery: Forgery) -> Option<()> {
    let conversation = kinds::CONVERSATION;
    match forgery {
        Forgery::LostMessage => {
            take_out(pages, conversation, |event| event.get("Received").is_some())
        }
        Forgery::LostReply => take_out(pages, conversation, |event| event.get("Replied").is_some()),
        Forgery::LostLead => take_out(pages, kinds::CRM, is_new_lead),
        Forgery::SecondLead => {
            let place = find(pages, kinds::CRM, is_new_lead)?;
            let mut second = pages[place].clone();
            let id = &mut second.event["Lead"]["lead"]["id"];
            *id = json!(id.as_u64()? + 1);
            pages.insert(place + 1, second);
            Some(())
        }
        Forgery::StrangeMessage => {
            let place = find(pages, conversation, |event| event.get("Received").is_some())?;
            let record = &mut pages[place].record;
            let body = String::from_utf8(record.blob.to_vec()).unwrap();
            record.blob = body.replace("\"text\":\"text", "\"text\":\"lies").into();
            Some(())
        }
        Forgery::SwappedReplies => swap_replies(pages),
        Forgery::StatusGoesBack => {
            let read = |event: &Value| event["Reported"]["status"] == json!("Read");
            let mut again = pages[find(pages, conversation, read)?].clone();
            again.event["Reported"]["status"] = json!("Delivered");
            pages.push(again);
            Some(())
        }
        Forgery::HalfDeletedRole => take_out(pages, kinds::USERS, |event| {
            event["Roles"]["change"].get("Deleted").is_some()
        }),
        Forgery::LostLeftovers => {
            let leftovers = leftovers::find(pages);
            let losses = leftovers.iter().map(leftovers::Leftover::lose);
            pages.extend(losses.collect::<Vec<_>>());
            (!leftovers.is_empty()).then_some(())
        }
        Forgery::LostReplays => {
            let before = pages.len();
            pages.retain(|page| !page.record.stream.is(kinds::REPLAYS));
            (pages.len() < before).then_some(())
        }
    }
}

fn is_new_lead(event: &Value) -> bool {
    event["Lead"].get("lead").is_some() && event["Lead"].get("before").is_none()
}

/// The last record of this kind that is so.
fn find(pages: &[Page], kind: StreamKind, is_it: impl Fn(&Value) -> bool) -> Option<usize> {
    pages
        .iter()
        .rposition(|page| page.record.stream.is(kind) && is_it(&page.event))
}

fn take_out(pages: &mut Vec<Page>, kind: StreamKind, is_it: impl Fn(&Value) -> bool) -> Option<()> {
    let place = find(pages, kind, is_it)?;
    pages.remove(place);
    Some(())
}

/// The last two answers of a conversation say each other's words, under each other's names.
fn swap_replies(pages: &mut [Page]) -> Option<()> {
    let is_reply = |event: &Value| event.get("Replied").is_some();
    let last = find(pages, kinds::CONVERSATION, is_reply)?;
    let stream = pages[last].record.stream.clone();
    let same = |event: &Page| event.record.stream == stream && is_reply(&event.event);
    let before = pages[..last].iter().rposition(same)?;
    for field in ["id", "content", "request"] {
        let words = pages[last].event["Replied"][field].clone();
        let earlier = std::mem::replace(&mut pages[before].event["Replied"][field], words);
        pages[last].event["Replied"][field] = earlier;
    }
    Some(())
}
