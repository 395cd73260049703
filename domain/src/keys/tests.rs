use super::*;

const USER: UserId = UserId(3);
const CONTACT: ContactId = ContactId(4);
const STAGE: (PipelineId, StageId) = (PipelineId(5), StageId(6));

fn account() -> AccountId {
    AccountId::from_random([1; 16])
}

fn conversation() -> ConversationId {
    ConversationId::from_random([2; 16])
}

fn scope() -> ScopeId {
    format!("a_{}", account()).parse().unwrap()
}

/// Fails unless the rows begin with the prefix and stand in this order, which no two of them share.
#[track_caller]
fn in_order<R: AsRef<[u8]>>(prefix: &[u8], rows: &[R]) {
    for row in rows {
        assert!(row.as_ref().starts_with(prefix), "{:?}", row.as_ref());
        assert!(row.as_ref().len() > prefix.len(), "{:?}", row.as_ref());
    }
    assert!(rows.is_sorted_by(|a, b| a.as_ref() < b.as_ref()));
}

#[test]
fn newer_activity_comes_first() {
    let at = |time| activity_row(account(), UnixMillis::new(time), conversation());
    in_order(&account().bytes(), &[at(256), at(2), at(1)]);
}

#[test]
fn newer_activity_of_a_user_comes_first() {
    let at = |time| activity_of_row(account(), USER, UnixMillis::new(time), conversation());
    in_order(&written_prefix(account(), USER), &[at(256), at(2), at(1)]);
}

#[test]
fn conversations_of_one_moment_have_a_row_each() {
    let other = ConversationId::from_random([3; 16]);
    let now = UnixMillis::new(1);
    let all = [conversation(), other].map(|it| activity_of_row(account(), USER, now, it));
    in_order(&written_prefix(account(), USER), &all);
}

#[test]
fn newer_leads_of_a_stage_come_first() {
    let (pipeline, stage) = STAGE;
    let of = |lead| stage_row(account(), pipeline, stage, LeadId(lead));
    let prefix = stage_prefix(account(), pipeline, stage);
    in_order(&prefix, &[of(256), of(2), of(1)]);
}

#[test]
fn each_stage_has_its_own_rows() {
    let (pipeline, stage) = STAGE;
    let stages = [
        (pipeline, stage),
        (pipeline, StageId(7)),
        (PipelineId(6), stage),
    ];
    let prefixes = stages.map(|(pipeline, stage)| stage_prefix(account(), pipeline, stage));
    in_order(&account().bytes(), &prefixes);
}

#[test]
fn leads_of_a_user_stand_by_number_and_relation() {
    let of = |lead, follows| lead_of_row(account(), USER, LeadId(lead), follows);
    let rows = [of(1, false), of(1, true), of(2, false), of(256, false)];
    in_order(&written_prefix(account(), USER), &rows);
}

#[test]
fn contacts_of_a_user_stand_by_number() {
    let rows = [1, 2, 256].map(|id| contact_of_row(account(), USER, ContactId(id)));
    in_order(&written_prefix(account(), USER), &rows);
}

#[test]
fn messages_of_a_user_have_a_row_each() {
    let rows = [1, 2].map(|id| written_row(account(), USER, MessageId::from_random([id; 16])));
    in_order(&written_prefix(account(), USER), &rows);
}

#[test]
fn chats_of_a_contact_stand_in_the_order_of_their_links() {
    let rows = [1, 2, 256].map(|link| chat_of_row(account(), CONTACT, ChatLinkId(link)));
    in_order(&contact_prefix(account(), CONTACT), &rows);
}

#[test]
fn leads_of_a_contact_stand_by_number() {
    let rows = [1, 2, 256].map(|lead| lead_of_contact_row(account(), CONTACT, LeadId(lead)));
    in_order(&contact_prefix(account(), CONTACT), &rows);
}

#[test]
fn each_user_and_each_contact_has_its_own_rows() {
    let users = [1, 2, 256].map(|user| written_prefix(account(), UserId(user)));
    in_order(&account().bytes(), &users);
    let contacts = [1, 2, 256].map(|contact| contact_prefix(account(), ContactId(contact)));
    in_order(&account().bytes(), &contacts);
}

#[test]
fn the_name_of_credentials_is_read_whole_or_not_at_all() {
    let name = credentials_name(account(), USER);
    assert_eq!(parse_credentials_name(&name), Some((account(), USER)));
    assert_eq!(parse_credentials_name(&name[..23]), None);
    assert_eq!(parse_credentials_name(&[&name[..], &[0]].concat()), None);
}

#[test]
fn unread_and_failed_rows_are_of_their_account() {
    let other = ConversationId::from_random([3; 16]);
    let unread_rows = [conversation(), other].map(|it| unread_row(account(), it));
    in_order(&account().bytes(), &unread_rows);
    let failed_rows = [1, 2, 256].map(|out| failed_row(account(), conversation(), out));
    in_order(&unread_row(account(), conversation()), &failed_rows);
}

#[test]
fn a_queue_stands_in_the_order_of_its_messages() {
    let rows = [1, 2, 256].map(|out| queue_row(&scope(), conversation(), out));
    in_order(&queue_prefix(&scope(), conversation()), &rows);
}

#[test]
fn a_queue_row_names_its_conversation_and_its_channel() {
    let row = queue_row(&scope(), conversation(), 7);
    assert_eq!(
        parse_queue_row(scope().channel(), &row),
        Some((account(), conversation(), 7))
    );
    assert_eq!(parse_queue_row(&"b".parse().unwrap(), &row), None);
    assert_eq!(read_queue_row(&row), Some((scope(), conversation(), 7)));
    assert_eq!(scope_of_row(&row), Some(scope_row(&scope()).as_slice()));
    let queue = queue_prefix(&scope(), conversation());
    assert_eq!(queue_of_row(&row), Some(queue.as_slice()));
}

#[test]
fn no_name_of_a_channel_begins_that_of_another() {
    let longer = channel_prefix(&"a_b".parse().unwrap());
    assert!(!longer.starts_with(&channel_prefix(scope().channel())));
}

#[test]
fn undelivered_messages_stand_apart_by_fate() {
    let [dead_row, cancelled_row] =
        Fate::ALL.map(|fate| undelivered_row(fate, &scope(), conversation(), 7));
    assert_ne!(dead_row, cancelled_row);
    let queue_row = queue_row(&scope(), conversation(), 7);
    assert!(dead_row.ends_with(&queue_row) && cancelled_row.ends_with(&queue_row));
}

#[test]
fn a_scope_is_read_back_from_its_row() {
    assert_eq!(parse_scope_row(&scope_row(&scope())), Some(scope()));
    assert_eq!(parse_scope_row(&[]), None);
    assert_eq!(parse_scope_row(&scope_row(&scope())[..17]), None);
}

#[test]
fn newer_audit_entries_stand_behind_older_ones() {
    let at = |time, id| audit_row(None, UnixMillis::new(time), AuditId::from_random([id; 16]));
    in_order(
        &audit_prefix(None),
        &[at(1, 9), at(2, 1), at(2, 2), at(256, 1)],
    );
}

#[test]
fn the_audit_log_of_an_account_is_apart_from_that_of_all() {
    let [all, own] = [None, Some(account())].map(audit_prefix);
    assert!(own.ends_with(&account().bytes()));
    assert!(!own.starts_with(&all) && !all.starts_with(&own));
}

/// The same ids in another family are another key.
#[test]
fn no_two_families_of_keys_collide() {
    let (lead_id, message_id) = (LeadId(4), MessageId::from_random([2; 16]));
    let someone = PersonId::from_random([2; 16]);
    let keys = [
        message(message_id),
        report(message_id),
        edit(message_id),
        named(message_id),
        reactions(message_id),
        fetched(message_id),
        numbered(conversation(), 4),
        outgoing(conversation(), 4),
        dispatch(conversation(), 4),
        person(&scope(), someone),
        expected(&scope(), someone),
        lead(account(), lead_id),
        contact(account(), CONTACT),
        chat_link(account(), ChatLinkId(4)),
        lead_of(conversation()),
        contact_of(account(), someone),
        chat(account(), conversation()),
        msgid(conversation(), &"x".parse().unwrap()),
        bound_conversation(&scope(), &"x".parse().unwrap()),
        bound_person(&scope(), &"x".parse().unwrap()),
    ];
    for (at, key) in keys.iter().enumerate() {
        assert!(
            !keys[at + 1..].contains(key),
            "the key at {at} is there twice"
        );
    }
}
