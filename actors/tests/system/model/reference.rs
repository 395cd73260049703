//! The service as one would write it without actors, journal or index: a few lists, everything at once.

use std::collections::BTreeMap;

/// A message of an integration. Its ids are few on purpose, so that they collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Post {
    pub(crate) msgid: usize,
    pub(crate) conversation: usize,
    pub(crate) sender: usize,
    pub(crate) text: usize,
    pub(crate) loud: bool,
    /// The conversation that `conversation_ref_id` names, by its place among those that there are.
    pub(crate) conversation_ref: Option<usize>,
    /// The person that `sender.ref_id` names, by their place among those who wrote.
    pub(crate) sender_ref: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Delivered,
    Read,
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModelRejection {
    NotConnected,
    AlreadyExists,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    In {
        post: Post,
        person: usize,
    },
    Out {
        number: usize,
        to: usize,
        status: Option<Status>,
    },
}

/// The places of a stored message: its conversation and its person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) conversation: usize,
    pub(crate) person: usize,
    /// The place of the message in the conversation; of the first one when this is a repeat.
    pub(crate) line: usize,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Thread {
    pub(crate) lines: Vec<Line>,
    pub(crate) unread: u64,
    /// The integration's id that the conversation began with.
    began_as: usize,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Reference {
    pub(crate) connected: bool,
    pub(crate) threads: Vec<Thread>,
    /// The writers, by the integration's id that they first wrote with.
    people: Vec<usize>,
    bound_conversations: BTreeMap<usize, usize>,
    bound_people: BTreeMap<usize, usize>,
    /// The conversation and the contact of each lead.
    pub(crate) leads: Vec<(usize, usize)>,
    /// The person of each contact.
    pub(crate) contacts: Vec<usize>,
    /// The conversation and the place in it of each answer.
    pub(crate) outs: Vec<(usize, usize)>,
}

impl Reference {
    pub(crate) fn people(&self) -> usize {
        self.people.len()
    }

    pub(crate) fn receive(&mut self, post: Post) -> Result<Taken, ModelRejection> {
        if !self.connected {
            return Err(ModelRejection::NotConnected);
        }
        let known_thread = self.thread_of(post.conversation);
        let known_person = self.person_of(post.sender);
        let thread = post.conversation_ref.or(known_thread);
        let person = post.sender_ref.or(known_person);
        // A repeat from before the conversation's id was bound elsewhere is still the same message.
        let original = self.began_as(post.conversation);
        if let Some(original) = original.filter(|original| thread != Some(*original))
            && let Some(Ok(taken)) = self.repeat(original, &post, None)
        {
            return Ok(taken);
        }
        if let Some(thread) = thread
            && let Some(answer) = self.repeat(thread, &post, person)
        {
            return answer;
        }
        let thread = thread.unwrap_or_else(|| {
            self.threads.push(Thread {
                began_as: post.conversation,
                ..Thread::default()
            });
            self.threads.len() - 1
        });
        let person = person.unwrap_or_else(|| {
            self.people.push(post.sender);
            self.people.len() - 1
        });
        if post.conversation_ref.is_some() && known_thread != Some(thread) {
            self.bound_conversations.insert(post.conversation, thread);
        }
        if post.sender_ref.is_some() && known_person != Some(person) {
            self.bound_people.insert(post.sender, person);
        }
        let lines = &mut self.threads[thread].lines;
        lines.push(Line::In { post, person });
        let line = lines.len() - 1;
        if post.loud {
            self.threads[thread].unread += 1;
            self.open_lead(thread, person);
        }
        Ok(Taken {
            conversation: thread,
            person,
            line,
        })
    }

    fn repeat(
        &self,
        thread: usize,
        post: &Post,
        writer: Option<usize>,
    ) -> Option<Result<Taken, ModelRejection>> {
        let lines = self.threads[thread].lines.iter().enumerate();
        let mut matches = lines.filter_map(|(line, earlier)| match earlier {
            Line::In {
                post: earlier,
                person,
            } if earlier.msgid == post.msgid => Some((line, *person, earlier)),
            Line::In { .. } | Line::Out { .. } => None,
        });
        matches.next().map(|(line, person, earlier)| {
            let sender = |post: &Post| (post.sender, post.sender_ref);
            let same_writer = writer == Some(person) || sender(earlier) == sender(post);
            if same_writer && earlier.text == post.text {
                Ok(Taken {
                    conversation: thread,
                    person,
                    line,
                })
            } else {
                Err(ModelRejection::AlreadyExists)
            }
        })
    }

    fn open_lead(&mut self, thread: usize, person: usize) {
        if self.leads.iter().any(|(of, _)| *of == thread) {
            return;
        }
        let place = self.contacts.iter().position(|contact| *contact == person);
        let contact = place.unwrap_or_else(|| {
            self.contacts.push(person);
            self.contacts.len() - 1
        });
        self.leads.push((thread, contact));
    }

    pub(crate) fn reply(&mut self, thread: usize) -> Result<usize, ModelRejection> {
        if !self.connected {
            return Err(ModelRejection::NotConnected);
        }
        let lines = &mut self.threads[thread].lines;
        let mut writers = lines.iter().rev().filter_map(|line| match line {
            Line::In { person, .. } => Some(*person),
            Line::Out { .. } => None,
        });
        let to = writers.next().unwrap();
        lines.push(Line::Out {
            number: self.outs.len(),
            to,
            status: None,
        });
        self.outs.push((thread, lines.len() - 1));
        self.threads[thread].unread = 0;
        Ok(self.outs.len() - 1)
    }

    /// Returns whether the report changes anything: a message that was read stays read, otherwise the last report
    /// counts.
    pub(crate) fn report(&mut self, out: usize, reported: Status) -> Result<bool, ModelRejection> {
        if !self.connected {
            return Err(ModelRejection::NotConnected);
        }
        let (thread, line) = self.outs[out];
        let Line::Out { status, .. } = &mut self.threads[thread].lines[line] else {
            panic!("an answer is an outgoing line");
        };
        let changes = *status != Some(Status::Read) && *status != Some(reported);
        if changes {
            *status = Some(reported);
        }
        Ok(changes)
    }

    fn thread_of(&self, client: usize) -> Option<usize> {
        let bound = self.bound_conversations.get(&client).copied();
        bound.or_else(|| self.began_as(client))
    }

    fn began_as(&self, client: usize) -> Option<usize> {
        let mut threads = self.threads.iter();
        threads.position(|thread| thread.began_as == client)
    }

    fn person_of(&self, client: usize) -> Option<usize> {
        let bound = self.bound_people.get(&client).copied();
        bound.or_else(|| self.people.iter().position(|began| *began == client))
    }
}
