//! Lists of the account as its users see them: what their rights cover, all of it, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use switchboard_actors::domain::account::rights::calculation::Source;
use switchboard_actors::domain::account::rights::entity::EntityRights;
use switchboard_actors::domain::account::rights::{EntityAction, Right};
use switchboard_actors::domain::account::user::User;
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::crm::Contact;
use switchboard_actors::domain::id::{AccountId, ContactId, ConversationId, LeadId, UserId};
use switchboard_actors::domain::oauth::scope::OauthScopes;
use switchboard_actors::error::UnavailableError;
use switchboard_actors::system::inbox::PAGE_MAX;
use switchboard_actors::system::user_access::{
    ChatFilter, ConversationFilter, EntityFilter, PageStart,
};
use switchboard_actors::{Caller, System};
use switchboard_engine::testkit::simulation::Coverage;

use crate::audit::Seen;
use crate::plants::Plant;
use crate::world::World;

/// That a chat belongs to a contact.
type Link = (ContactId, ConversationId);

/// The lists of a user.
pub(super) struct Lists {
    user: UserId,
    contacts: BTreeSet<ContactId>,
    leads: BTreeSet<LeadId>,
    unsorted: BTreeSet<LeadId>,
    conversations: BTreeSet<ConversationId>,
    /// The number of conversations with unread messages.
    unread: usize,
    chats: BTreeSet<Link>,
}

/// The lists of all users who may come in. `contacts`: all of the account.
pub(super) async fn see(
    world: &World,
    system: &System,
    account: AccountId,
    users: &Users,
    contacts: &BTreeMap<ContactId, Contact>,
) -> Result<Vec<Lists>, UnavailableError> {
    let of_any = ChatFilter {
        contacts: contacts.keys().copied().collect(),
        ..ChatFilter::default()
    };
    let (start, wanted) = (PageStart::default(), ConversationFilter::default());
    let mut all = Vec::new();
    for user in users.iter().filter(|user| user.active) {
        let access = system.user_access(&caller(account, user)).await?;
        let right_holder = match world.plant {
            Some(Plant::ListWithoutRights) => first(users),
            _ => user,
        };
        let of_contacts = system.user_access(&caller(account, right_holder)).await?;
        let every = EntityFilter::default();
        let contacts = of_contacts.contacts(&every, start, PAGE_MAX).await?.entries;
        let leads = access.leads(&every, start, PAGE_MAX).await?.entries;
        let unsorted = access.unsorted(&every, start, PAGE_MAX).await?.entries;
        let conversations = access.conversations(&wanted, None, PAGE_MAX).await?.entries;
        let chats = if of_any.contacts.is_empty() {
            Vec::new()
        } else {
            access.chats(&of_any, start, PAGE_MAX).await?.entries
        };
        all.push(Lists {
            user: user.id,
            contacts: contacts.iter().map(|it| it.id).collect(),
            leads: leads.iter().map(|it| it.id).collect(),
            unsorted: unsorted.iter().map(|it| it.id).collect(),
            conversations: conversations.iter().map(|it| it.view.state.id).collect(),
            unread: access.counts().await?.unread.count,
            chats: chats
                .iter()
                .map(|it| (it.contact, it.conversation))
                .collect(),
        });
    }
    Ok(all)
}

fn caller(account: AccountId, user: &User) -> Caller {
    Caller {
        account,
        user: user.id,
        name: user.name.clone().into(),
        is_admin: user.is_admin(),
        client: None,
        scopes: OauthScopes::all(),
    }
}

/// The administrator.
fn first(users: &Users) -> &User {
    users.iter().next().unwrap()
}

pub(super) fn judge(world: &World, seen: &Seen) -> Result<(), String> {
    for lists in &seen.lists {
        let user = seen.users.get(lists.user).unwrap();
        let due = due(seen, user);
        same("contacts", lists, &lists.contacts, &due.contacts)?;
        same("leads", lists, &lists.leads, &due.leads)?;
        same("unsorted leads", lists, &lists.unsorted, &due.unsorted)?;
        let conversations = &due.conversations;
        same("conversations", lists, &lists.conversations, conversations)?;
        same("chats", lists, &lists.chats, &due.chats)?;
        same("unread", lists, &lists.unread, &due.unread)?;
        count(&world.coverage, seen, lists);
    }
    Ok(())
}

/// Returns the lists that the rights of this user cover.
fn due(seen: &Seen, user: &User) -> Lists {
    let crm = &seen.books[0];
    let of_leads = |responsible| covers(&seen.users, user, |of| of.0, responsible);
    let of_contacts = |responsible| covers(&seen.users, user, |of| of.1, responsible);
    let contacts: BTreeSet<ContactId> = crm
        .contacts
        .values()
        .filter(|it| of_contacts(it.responsible))
        .map(|it| it.id)
        .collect();
    let visible = || crm.leads.iter().filter(|it| of_leads(it.responsible));
    let unsorted = visible().filter(|it| it.is_active() && it.responsible.is_none());
    let threads = || {
        seen.threads.values().map(|it| &it.view).filter(|view| {
            let origin = view.state.origin.as_ref();
            let here = origin.is_some_and(|origin| origin.scope.account() == crm.account);
            let lead = view.lead.as_ref();
            here && of_leads(lead.and_then(|lead| lead.responsible))
        })
    };
    let conversations: BTreeSet<ConversationId> = threads().map(|it| it.state.id).collect();
    let links = crm
        .leads
        .iter()
        .filter_map(|it| it.contact.zip(it.conversation()));
    let chats = links.filter(|(contact, conversation)| {
        contacts.contains(contact) && conversations.contains(conversation)
    });
    Lists {
        user: user.id,
        leads: visible().map(|it| it.id).collect(),
        unsorted: unsorted.map(|it| it.id).collect(),
        unread: threads().filter(|it| it.state.unread > 0).count(),
        chats: chats.collect(),
        contacts,
        conversations,
    }
}

/// Returns whether the user sees an object of this responsible user. `of` chooses between the rights over leads and
/// over contacts.
fn covers(
    users: &Users,
    user: &User,
    of: impl Fn((EntityRights, EntityRights)) -> EntityRights,
    responsible: Option<UserId>,
) -> bool {
    match users.source(user) {
        Source::Administrator => true,
        Source::Inactive | Source::Free => false,
        Source::Role(_, rights) | Source::Own(rights) => {
            match of((rights.leads, rights.contacts)).right(EntityAction::View) {
                Right::All => true,
                Right::Group => {
                    let other = responsible.and_then(|responsible| users.get(responsible));
                    other.is_some_and(|other| other.group == user.group)
                }
                Right::Main => responsible == Some(user.id),
                Right::Denied => false,
            }
        }
    }
}

fn same<T: PartialEq + std::fmt::Debug>(
    what: &str,
    lists: &Lists,
    listed: &T,
    due: &T,
) -> Result<(), String> {
    if listed == due {
        return Ok(());
    }
    Err(format!(
        "the list of {what} of user {} is {listed:?}, and the rights cover {due:?}",
        lists.user
    ))
}

fn count(coverage: &Coverage, seen: &Seen, lists: &Lists) {
    let some = |listed: usize, all: usize| 0 < listed && listed < all;
    let crm = &seen.books[0];
    if some(lists.contacts.len(), crm.contacts.len()) {
        coverage.count("a user sees some contacts");
    }
    if lists.contacts.is_empty() && !crm.contacts.is_empty() {
        coverage.count("a user sees no contact");
    }
    if some(lists.leads.len(), crm.leads.len()) {
        coverage.count("a user sees some leads");
    }
}
