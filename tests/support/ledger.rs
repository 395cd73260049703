//! The requests and their acknowledgements, and a check that a service which came up again shows exactly those.
//!
//! Time here is a counter that moves with every request and every acknowledgement, so that «before» means: seen before
//! by the same test.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::flaky::Arrival;
use super::shown::{Conversation, Shown, text};

/// Everything that was sent to one data directory.
#[derive(Debug, Default)]
pub struct Ledger {
    now: u64,
    incoming: BTreeMap<String, Incoming>,
    outgoing: BTreeMap<String, Outgoing>,
    touched: BTreeSet<String>,
    acknowledgements: u64,
    refused: u64,
}

/// A customer's message, by its `msgid`.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// The integration's id of the conversation.
    pub conversation: String,
    /// Its text.
    pub text: String,
    /// True when it was posted as silent.
    pub silent: bool,
    issued: u64,
    acknowledged: Option<(u64, Ids)>,
}

/// The ids in an answer to a customer's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ids {
    /// Of the message.
    pub message: String,
    /// Of the conversation.
    pub conversation: String,
}

/// An account user's answer, by its text, which is its own.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// The integration's id of the conversation.
    pub conversation: String,
    issued: u64,
    acknowledged: Option<(u64, String)>,
    /// The rank of the last report that was sent, and of the last that was acknowledged.
    reported: (usize, usize),
}

/// The states in the inbox after no report, after `1` and after `2`.
const RANKS: [&[&str]; 3] = [&["queued", "sent"], &["delivered"], &["read"]];

impl Ledger {
    /// A message is about to be posted for the first time.
    pub fn post(&mut self, msgid: &str, conversation: &str, text: &str, silent: bool) {
        let message = Incoming {
            conversation: conversation.to_owned(),
            text: text.to_owned(),
            silent,
            issued: self.tick(),
            acknowledged: None,
        };
        assert!(self.incoming.insert(msgid.to_owned(), message).is_none());
        self.touched.insert(conversation.to_owned());
    }

    /// A message was acknowledged; every acknowledgement of the same message says the same.
    pub fn posted(&mut self, msgid: &str, ids: Ids) {
        let now = self.tick();
        self.acknowledgements += 1;
        let message = self.incoming.get_mut(msgid).unwrap();
        match &message.acknowledged {
            Some((_, known)) => assert_eq!(*known, ids, "another answer to {msgid}"),
            None => message.acknowledged = Some((now, ids)),
        }
    }

    /// A message that was posted.
    pub fn incoming(&self, msgid: &str) -> &Incoming {
        &self.incoming[msgid]
    }

    /// An answer is about to be posted to the conversation of this message, which was acknowledged; gives the service's
    /// id of the conversation.
    pub fn reply(&mut self, text: &str, about: &str) -> String {
        let about = self.incoming(about);
        let conversation = about.conversation.clone();
        let (_, ids) = about.acknowledged.clone().unwrap();
        let reply = Outgoing {
            conversation: conversation.clone(),
            issued: self.tick(),
            acknowledged: None,
            reported: (0, 0),
        };
        assert!(self.outgoing.insert(text.to_owned(), reply).is_none());
        self.touched.insert(conversation);
        ids.conversation
    }

    /// An answer was acknowledged under this id.
    pub fn replied(&mut self, text: &str, id: &str) {
        let now = self.tick();
        self.acknowledgements += 1;
        self.outgoing.get_mut(text).unwrap().acknowledged = Some((now, id.to_owned()));
    }

    /// A report is about to be sent; gives the number that it has to have. Each report goes one step further.
    pub fn report(&mut self, text: &str) -> usize {
        let reply = self.outgoing.get_mut(text).unwrap();
        reply.reported.0 = (reply.reported.1 + 1).min(2);
        self.touched.insert(reply.conversation.clone());
        reply.reported.0
    }

    /// The last report was acknowledged.
    pub fn reported(&mut self, text: &str) {
        self.acknowledgements += 1;
        let reply = self.outgoing.get_mut(text).unwrap();
        reply.reported.1 = reply.reported.0;
    }

    /// The number of acknowledgements.
    pub fn acknowledgements(&self) -> u64 {
        self.acknowledgements
    }

    /// Something was refused with «not now».
    pub fn refused(&mut self) {
        self.refused += 1;
    }

    /// The number of refusals.
    pub fn refusals(&self) -> u64 {
        self.refused
    }

    /// The conversations that something was sent to since this was asked last.
    pub fn take_touched(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.touched)
    }

    /// Returns the numbers of acknowledged messages and answers.
    pub fn acknowledged(&self) -> (usize, usize) {
        let incoming = self.incoming.values();
        let outgoing = self.outgoing.values();
        (
            incoming.filter(|it| it.acknowledged.is_some()).count(),
            outgoing.filter(|it| it.acknowledged.is_some()).count(),
        )
    }

    /// Everything that is wrong with what a service shows: nothing, when it keeps its promises. Conversations that were
    /// not read are not looked into.
    pub fn faults(&self, shown: &Shown) -> Vec<String> {
        let mut faults = Vec::new();
        for (name, conversation) in &shown.conversations {
            if let Some(messages) = &conversation.messages {
                self.check_messages(name, conversation, messages, &mut faults);
            }
        }
        for (msgid, message) in &self.incoming {
            let there = shown.conversations.get(&message.conversation);
            let is_lost = match there.map(|there| there.messages.as_ref()) {
                None => true,
                Some(None) => false,
                Some(Some(messages)) => !messages.iter().any(|it| it["client_id"] == **msgid),
            };
            if is_lost && message.acknowledged.is_some() {
                faults.push(format!("message {msgid} was acknowledged and is lost"));
            }
        }
        for (text, reply) in &self.outgoing {
            let there = shown.conversations.get(&reply.conversation);
            let is_lost = match there.map(|there| there.messages.as_ref()) {
                None => true,
                Some(None) => false,
                Some(Some(messages)) => !messages.iter().any(|it| is_out(it, text)),
            };
            if is_lost && reply.acknowledged.is_some() {
                faults.push(format!("answer «{text}» was acknowledged and is lost"));
            }
        }
        shown.check_book(&mut faults);
        faults
    }

    fn check_messages(
        &self,
        name: &str,
        conversation: &Conversation,
        messages: &[Value],
        faults: &mut Vec<String>,
    ) {
        let mut ids = BTreeSet::new();
        let mut loud = false;
        let mut last_issued = 0;
        for message in messages {
            let is_ours = if message["direction"] == "in" {
                loud |= message["silent"] == false;
                self.check_incoming(name, conversation, message, faults)
            } else {
                self.check_outgoing(name, message, faults)
            };
            let Some((key, issued, acknowledged)) = is_ours else {
                continue;
            };
            if !ids.insert(key) {
                faults.push(format!("{key} is in {name} twice"));
            }
            // Something that was sent after this was acknowledged stands before it.
            if acknowledged.is_some_and(|at| at < last_issued) {
                faults.push(format!("{key} is in the wrong place in {name}"));
            }
            last_issued = last_issued.max(issued);
        }
        if conversation.count != messages.len() {
            faults.push(format!(
                "{name} says that it has {} messages, and shows {}",
                conversation.count,
                messages.len()
            ));
        }
        if loud != conversation.lead.is_some() {
            faults.push(format!(
                "{name} is loud: {loud}, its lead is {:?}",
                conversation.lead
            ));
        }
    }

    fn check_incoming<'a>(
        &'a self,
        name: &str,
        conversation: &Conversation,
        message: &Value,
        faults: &mut Vec<String>,
    ) -> Option<(&'a str, u64, Option<u64>)> {
        let msgid = text(&message["client_id"]);
        let Some((msgid, sent)) = self.incoming.get_key_value(msgid) else {
            faults.push(format!("message {msgid} in {name} was never sent"));
            return None;
        };
        if message["text"] != sent.text || message["silent"] != sent.silent {
            faults.push(format!("message {msgid} is another than was sent"));
        }
        if name != sent.conversation {
            faults.push(format!("message {msgid} is in {name}"));
        }
        if let Some((_, ids)) = &sent.acknowledged
            && (message["id"] != *ids.message || conversation.id != ids.conversation)
        {
            faults.push(format!("message {msgid} has other ids than were answered"));
        }
        let acknowledged = sent.acknowledged.as_ref().map(|(at, _)| *at);
        Some((msgid, sent.issued, acknowledged))
    }

    fn check_outgoing<'a>(
        &'a self,
        name: &str,
        message: &Value,
        faults: &mut Vec<String>,
    ) -> Option<(&'a str, u64, Option<u64>)> {
        let content = text(&message["text"]);
        let Some((written, sent)) = self.outgoing.get_key_value(content) else {
            faults.push(format!("answer «{content}» in {name} was never sent"));
            return None;
        };
        if name != sent.conversation {
            faults.push(format!("answer «{written}» is in {name}"));
        }
        if let Some((_, id)) = &sent.acknowledged
            && message["id"] != **id
        {
            faults.push(format!(
                "answer «{written}» has another id than was answered"
            ));
        }
        let status = text(&message["delivery"]["status"]);
        let (tried, kept) = sent.reported;
        if !RANKS[kept..=tried]
            .iter()
            .any(|rank| rank.contains(&status))
        {
            faults.push(format!(
                "answer «{written}» is {status}, but was reported {kept}..={tried}"
            ));
        }
        let acknowledged = sent.acknowledged.as_ref().map(|(at, _)| *at);
        Some((written, sent.issued, acknowledged))
    }

    /// Everything that is wrong with the callbacks, when all is quiet: every answer that is shown was taken, in order,
    /// and repeated only as a repetition.
    pub fn callback_faults(&self, shown: &Shown, arrivals: &[Arrival]) -> Vec<String> {
        let mut faults = Vec::new();
        let mut first_takings: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut attempts: BTreeMap<&str, Vec<&Arrival>> = BTreeMap::new();
        for arrival in arrivals {
            let earlier = attempts.entry(&arrival.message).or_default();
            if arrival.taken && !earlier.iter().any(|earlier| earlier.taken) {
                let takings_here = first_takings.entry(arrival.conversation()).or_default();
                takings_here.push(arrival.text());
            }
            if earlier
                .iter()
                .any(|earlier| earlier.fields != arrival.fields)
            {
                faults.push(format!("«{}» changed between attempts", arrival.text()));
            }
            earlier.push(arrival);
        }
        for (id, attempts) in &attempts {
            if attempts
                .iter()
                .filter(|attempt| attempt.number == 1)
                .count()
                > 1
            {
                faults.push(format!("{id} has several first attempts"));
            }
        }
        for (name, conversation) in &shown.conversations {
            let outgoing = |message: &&Value| message["direction"] == "out";
            let messages = conversation.messages.iter().flatten();
            let texts: Vec<_> = messages
                .filter(outgoing)
                .map(|message| text(&message["text"]))
                .collect();
            let takings_there = first_takings.remove(name.as_str()).unwrap_or_default();
            if texts != takings_there {
                faults.push(format!(
                    "{name} has {texts:?}, and was taken as {takings_there:?}"
                ));
            }
        }
        for (name, taken) in first_takings {
            faults.push(format!("{name} is not there, and {taken:?} came from it"));
        }
        faults
    }

    fn tick(&mut self) -> u64 {
        self.now += 1;
        self.now
    }
}

fn is_out(message: &Value, written: &str) -> bool {
    message["direction"] == "out" && message["text"] == written
}
