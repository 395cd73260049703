//! The filters of the list of conversations, as requests and saved views name them.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::conversation::Conversation;
use crate::conversation::status::ConversationStatus;
use crate::crm::Lead;
use crate::id::{ChannelId, GroupId, TagId, UserId};
use crate::schema::schema_of;
use crate::violation::{Violation, ViolationCode, Violations};
use crate::words;

/// The word that takes all conversations: the same as no filter by state.
const ALL: &str = "all";

words! {
    /// A part of the conversations.
    pub enum Among {
        /// Those whose newest lead the user answers for, and those in which the user answered or was mentioned.
        Mine = "mine",
        /// Those in which a note of the team mentioned the user.
        Mentioned = "mentioned",
        /// Those with messages that no user has read.
        Unread = "unread",
        /// Those where something that was written has not arrived.
        Failed = "failed",
    }
}

/// A user or a group whom conversations are assigned to.
pub trait Owner: Copy + Eq + FromStr + fmt::Display {
    /// The word for that of the user who looks.
    const OWN: &str;
    /// The word for none.
    const NONE: &str = "none";
    /// The expectation, for people.
    const EXPECTED: &str;
}

impl Owner for UserId {
    const OWN: &str = "me";
    const EXPECTED: &str = "must be me, none or the id of a user";
}

impl Owner for GroupId {
    const OWN: &str = "mine";
    const EXPECTED: &str = "must be mine, none or the id of a group";
}

/// The owner of the wanted conversations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnerFilter<T> {
    /// The user who looks, or their group.
    Own,
    /// They have none.
    Unassigned,
    /// This one.
    One(T),
}

/// The responsible user of the newest lead. A conversation without a lead has none, and is not among those without one.
pub type ResponsibleFilter = OwnerFilter<UserId>;
/// The group to which the conversation is assigned.
pub type GroupFilter = OwnerFilter<GroupId>;

schema_of!(ResponsibleFilter, { "type": "string" });
schema_of!(GroupFilter, { "type": "string" });

/// The text names no owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnerFilterError<T>(PhantomData<T>);

impl<T: Owner> fmt::Display for OwnerFilterError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }
}

impl<T: Owner> OwnerFilter<T> {
    /// Returns whether this owner is a wanted one; `own` is that of the user who looks.
    #[must_use]
    pub fn takes(self, present: Option<T>, own: Option<T>) -> bool {
        match self {
            Self::Own => present.is_some() && present == own,
            Self::Unassigned => present.is_none(),
            Self::One(one) => present == Some(one),
        }
    }
}

impl<T: Owner> FromStr for OwnerFilter<T> {
    type Err = OwnerFilterError<T>;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == T::OWN {
            return Ok(Self::Own);
        }
        if text == T::NONE {
            return Ok(Self::Unassigned);
        }
        let one = text.parse();
        one.map(Self::One)
            .map_err(|_no_number| OwnerFilterError(PhantomData))
    }
}

impl<T: Owner> fmt::Display for OwnerFilter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own => f.write_str(T::OWN),
            Self::Unassigned => f.write_str(T::NONE),
            Self::One(one) => one.fmt(f),
        }
    }
}

impl<T: Owner> Serialize for OwnerFilter<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, T: Owner> Deserialize<'de> for OwnerFilter<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

/// Filters of conversations. They combine: a conversation passes all of them. `None` lets all through.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct ConversationFilters {
    /// The part of the conversations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Among>,
    /// The responsible user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub responsible: Option<ResponsibleFilter>,
    /// The group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupFilter>,
    /// The status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ConversationStatus>,
    /// The channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<ChannelId>,
    /// A tag of the newest lead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<TagId>,
}

/// The name of a filter.
pub type FilterName = &'static str;

/// The user who looks, as filters need them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looker {
    /// The user.
    pub user: UserId,
    /// Their group.
    pub group: Option<GroupId>,
}

impl ConversationFilters {
    /// The names of the filters.
    pub const NAMES: [FilterName; 6] =
        ["state", "responsible", "group", "status", "channel", "tag"];

    /// Reads the filters from texts by their names. An empty text is no filter, and neither is the state `all`.
    ///
    /// # Errors
    /// With every filter that has no such value.
    pub fn parse<'t>(text: impl Fn(FilterName) -> Option<&'t str>) -> Result<Self, Violations> {
        let mut wrong = Violations::default();
        let text_of = |name| text(name).filter(|text| !text.is_empty());
        let filters = Self {
            state: among(text_of("state")).unwrap_or_else(|violation| {
                wrong.push(violation);
                None
            }),
            responsible: parsed(&mut wrong, "responsible", text_of("responsible")),
            group: parsed(&mut wrong, "group", text_of("group")),
            status: parsed(&mut wrong, "status", text_of("status")),
            channel: parsed(&mut wrong, "channel", text_of("channel")),
            tag: parsed(&mut wrong, "tag", text_of("tag")),
        };
        if wrong.is_empty() {
            Ok(filters)
        } else {
            Err(wrong)
        }
    }

    /// Returns whether they let everything through.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether all that is wanted is in the list of this user's own conversations.
    #[must_use]
    pub fn is_of(&self, user: UserId) -> bool {
        let responsible = self.responsible;
        matches!(self.state, Some(Among::Mine | Among::Mentioned))
            || responsible == Some(OwnerFilter::Own)
            || responsible == Some(OwnerFilter::One(user))
    }

    /// Returns whether a conversation with this newest lead, and assigned to this group, passes all filters but the state.
    #[must_use]
    pub fn takes(
        &self,
        conversation: &Conversation,
        newest: Option<&Lead>,
        group: Option<GroupId>,
        looker: Looker,
    ) -> bool {
        let has_user = self.responsible.is_none_or(|wanted| {
            newest.is_some_and(|lead| wanted.takes(lead.responsible, Some(looker.user)))
        });
        let has_group = |wanted: GroupFilter| wanted.takes(group, looker.group);
        let status = |wanted| ConversationStatus::new(conversation, newest) == wanted;
        let origin = conversation.origin.as_ref();
        let channel = |wanted| origin.is_some_and(|origin| origin.scope.channel() == wanted);
        let tag = |wanted| newest.is_some_and(|lead| lead.tags.iter().any(|tag| tag.id == wanted));
        has_user
            && self.group.is_none_or(has_group)
            && self.status.is_none_or(status)
            && self.channel.as_ref().is_none_or(channel)
            && self.tag.is_none_or(tag)
    }

    /// Returns whether the filter of this name has another value in `other`.
    #[must_use]
    pub fn differs_in(&self, name: FilterName, other: &Self) -> bool {
        match name {
            "state" => self.state != other.state,
            "responsible" => self.responsible != other.responsible,
            "group" => self.group != other.group,
            "status" => self.status != other.status,
            "channel" => self.channel != other.channel,
            "tag" => self.tag != other.tag,
            _ => true,
        }
    }

    /// The filters of a request together with those of a view.
    ///
    /// # Errors
    /// With every filter that has one value in the request and another one in the view.
    pub fn within(self, view: &Self) -> Result<Self, Violations> {
        let mut wrong = Violations::default();
        let both = Self {
            state: joined(&mut wrong, "state", self.state, view.state),
            responsible: joined(
                &mut wrong,
                "responsible",
                self.responsible,
                view.responsible,
            ),
            group: joined(&mut wrong, "group", self.group, view.group),
            status: joined(&mut wrong, "status", self.status, view.status),
            channel: joined(&mut wrong, "channel", self.channel, view.channel.clone()),
            tag: joined(&mut wrong, "tag", self.tag, view.tag),
        };
        if wrong.is_empty() {
            Ok(both)
        } else {
            Err(wrong)
        }
    }
}

/// The refusal of filters that name what is not there, by their names; `within` is the path before them.
#[must_use]
pub fn without_value(within: &str, names: &[&str]) -> Violations {
    let mut wrong = Violations::default();
    for name in names {
        wrong.push(Violation {
            path: format!("{within}{name}"),
            code: ViolationCode::InvalidValue,
            detail: expectation(name).to_owned(),
        });
    }
    wrong
}

fn expectation(name: &str) -> &'static str {
    match name {
        "responsible" => "the account has no user with this id",
        "group" => "the account has no group with this id",
        "channel" => {
            "the account has no such channel; GET /inbox/v1/channels lists those that it has"
        }
        "tag" => "no tag of leads has this id; GET /api/v4/leads/tags lists them",
        "view" => {
            "there is no such view; GET /inbox/v1/views lists those of the caller and of the team"
        }
        _ => "there is no such value",
    }
}

fn among(text: Option<&str>) -> Result<Option<Among>, Violation> {
    let Some(text) = text.filter(|text| *text != ALL) else {
        return Ok(None);
    };
    text.parse().map(Some).map_err(|_other| Violation {
        path: "state".to_owned(),
        code: ViolationCode::NotSupportedChoice,
        detail: format!("must be all, mine, mentioned, unread or failed, got «{text}»"),
    })
}

fn parsed<T: FromStr<Err: fmt::Display>>(
    wrong: &mut Violations,
    name: FilterName,
    text: Option<&str>,
) -> Option<T> {
    let text = text?;
    let value = text.parse().map_err(|why| Violation {
        path: name.to_owned(),
        code: ViolationCode::InvalidValue,
        detail: format!("{why}, got «{text}»"),
    });
    value.map_err(|violation| wrong.push(violation)).ok()
}

/// The value of a filter that a request and a view may both have.
fn joined<T: PartialEq + fmt::Display>(
    wrong: &mut Violations,
    name: FilterName,
    of_request: Option<T>,
    of_view: Option<T>,
) -> Option<T> {
    if let (Some(of_request), Some(of_view)) = (&of_request, &of_view)
        && of_request != of_view
    {
        wrong.push(Violation {
            path: name.to_owned(),
            code: ViolationCode::InvalidValue,
            detail: format!("the view has «{of_view}» here; leave this filter out, or the view"),
        });
    }
    of_request.or(of_view)
}

#[cfg(test)]
mod tests;
