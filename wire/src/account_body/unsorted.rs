//! The bodies that create unsorted leads of forms and calls, and the one that links an unsorted lead of a chat.

use crate::account_body::batch::{self, BatchError};
use crate::account_body::entries::{
    self, CustomFieldsBody, EmbeddedTags, FieldChanges, KnownReferences, NewContactBody, TagsToAdd,
};
use crate::account_body::entry::new_contact;
use crate::account_body::items::{Item, Items};
use crate::body::Body;
use crate::body::value::{List, Number, TextOrNumber, Whole};
use crate::domain::crm::create_complex_leads::ComplexLead;
use crate::domain::crm::create_contacts::NewContact;
use crate::domain::crm::create_leads::NewLead;
use crate::domain::crm::custom_fields::value::FieldValues;
use crate::domain::crm::entity::EntityKind;
use crate::domain::crm::fields::{EntryFields, Price, PriceFields};
use crate::domain::crm::submission::{
    CallDetails, CallResponsible, FormDetails, Submission, SubmissionDetails,
};
use crate::domain::id::{ContactId, LeadId, PipelineId, StageId, UserId};
use crate::domain::text::{Name, SubmittedText};
use crate::domain::violation::ViolationCode;
use crate::json::BodyError;
use crate::json::object::ObjectReader;
use crate::schema::Schema;
use crate::{body, body_values};

/// The number of unsorted leads that one request creates.
pub const UNSORTED_MAX: usize = 50;

/// The last second of the times that fit.
const LAST_SECOND: i64 = 4_294_967_295;

/// A text in the details of a form or a call.
pub(super) type DetailText = TextOrNumber<SubmittedText>;
/// A time, or a length of time.
type DetailSeconds = Whole<0, LAST_SECOND>;

body!(
    /// A form that a visitor sent.
    #[body(open)]
    pub struct NewFormBody {
        #[body(flatten)]
        lead: UnsortedBody,
        metadata: FormBody,
    }

    /// A call.
    #[body(open)]
    pub struct NewCallBody {
        #[body(flatten)]
        lead: UnsortedBody,
        metadata: CallBody,
    }

    /// An unsorted lead without its details.
    #[body(open)]
    pub struct UnsortedBody {
        /// The name of the source, such as a site.
        source_name: DetailText,
        /// The program's id of the request.
        source_uid: DetailText,
        /// The pipeline whose unsorted stage the lead is in; the main one if it is left out.
        pipeline_id: Option<PipelineId>,
        #[body(key("_embedded"))]
        embedded: UnsortedEmbedded,
    }

    /// The lead and its contact.
    #[body(open)]
    pub struct UnsortedEmbedded {
        /// Without one, the lead is called by its number.
        leads: Option<List<UnsortedLeadBody, 1>>,
        contacts: Option<List<UnsortedContactBody, 1>>,
    }

    /// The lead.
    #[body(open)]
    pub struct UnsortedLeadBody {
        name: Option<TextOrNumber<Name>>,
        #[body(given(Update))]
        price: PriceFields,
        #[body(flatten)]
        values: CustomFieldsBody,
        #[body(flatten)]
        added: TagsToAdd,
        #[body(key("_embedded"))]
        embedded: Option<EmbeddedTags>,
    }

    /// The contact who is created for the lead.
    #[body(open)]
    pub struct UnsortedContactBody {
        name: Option<TextOrNumber<Name>>,
        /// With last_name, in place of the name.
        first_name: Option<TextOrNumber<String>>,
        last_name: Option<TextOrNumber<String>>,
        #[body(flatten)]
        values: CustomFieldsBody,
        #[body(flatten)]
        added: TagsToAdd,
        #[body(key("_embedded"))]
        embedded: Option<EmbeddedTags>,
    }

    /// The details of a form.
    #[body(open)]
    pub struct FormBody {
        form_id: Option<DetailText>,
        form_name: Option<DetailText>,
        /// The page that the form stands on.
        form_page: Option<DetailText>,
        /// The visitor's address in the network.
        ip: Option<DetailText>,
        /// In seconds.
        form_sent_at: Option<DetailSeconds>,
        /// The page that the visitor came from.
        referer: Option<DetailText>,
    }

    /// The details of a call.
    #[body(open)]
    pub struct CallBody {
        /// The caller's phone number.
        phone: Option<DetailText>,
        /// In seconds.
        called_at: Option<DetailSeconds>,
        /// In seconds.
        duration: Option<DetailSeconds>,
        /// The address of the recording.
        link: Option<DetailText>,
        /// The code of the telephone service.
        service_code: Option<DetailText>,
        /// The service's id of the call.
        uniq: Option<DetailText>,
        /// The person who answered: the id of a user, or a name.
        #[body(null)]
        call_responsible: Option<DetailText>,
        is_call_event_needed: Option<bool>,
    }

    /// The link of an unsorted lead of a chat to another lead.
    #[body(open, lenient)]
    pub struct LinkUnsortedBody {
        link: LinkBody,
        /// An active user of the account. It is not kept: the caller is who links.
        user_id: Option<UserId>,
    }

    /// The lead that gets the chat.
    #[body(open, lenient)]
    pub struct LinkBody {
        /// A lead that the caller may see.
        entity_id: Number,
        entity_type: LinkedType,
        metadata: Option<LinkMetadata>,
    }

    /// The contact that the chat belongs to afterwards.
    #[body(open, lenient)]
    pub struct LinkMetadata {
        /// A contact that the caller may see. Without it, the contact of the lead, else that of the chat.
        contact_id: Option<ContactId>,
    }
);

/// The type of what an unsorted lead is linked to: leads alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkedType;

const LINKED_TYPES: [(&str, LinkedType); 1] = [("leads", LinkedType)];

body_values! {
    LinkedType: Schema::choice(&LINKED_TYPES), |found| found.choice(&LINKED_TYPES);
}

/// The link of an unsorted lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnsortedLink {
    /// The lead that gets the chat.
    pub lead: LeadId,
    /// The contact that the chat belongs to afterwards.
    pub contact: Option<ContactId>,
}

/// The contacts and tags that a body names.
#[derive(Clone, Copy, Debug)]
pub struct UnsortedReferences<'k> {
    /// What leads name.
    pub leads: KnownReferences<'k>,
    /// What contacts name.
    pub contacts: KnownReferences<'k>,
}

/// A body that creates unsorted leads of one category.
pub trait NewUnsorted: Body {
    /// The lead, and the details of what opened it.
    fn parts(self) -> (UnsortedBody, SubmissionDetails);
}

impl NewUnsorted for NewFormBody {
    fn parts(self) -> (UnsortedBody, SubmissionDetails) {
        (self.lead, SubmissionDetails::Form(self.metadata.details()))
    }
}

impl NewUnsorted for NewCallBody {
    fn parts(self) -> (UnsortedBody, SubmissionDetails) {
        (self.lead, SubmissionDetails::Call(self.metadata.details()))
    }
}

impl FormBody {
    pub(super) fn details(self) -> FormDetails {
        FormDetails {
            form_id: self.form_id.map(TextOrNumber::get),
            form_name: self.form_name.map(TextOrNumber::get),
            form_page: self.form_page.map(TextOrNumber::get),
            ip: self.ip.map(TextOrNumber::get),
            form_sent_at: self.form_sent_at.map(Whole::count),
            referer: self.referer.map(TextOrNumber::get),
        }
    }
}

impl CallBody {
    pub(super) fn details(self) -> CallDetails {
        let responsible = |text: SubmittedText| match text.as_str().parse() {
            Ok(number) => CallResponsible::User(number),
            Err(_) => CallResponsible::Name(text),
        };
        CallDetails {
            phone: self.phone.map(TextOrNumber::get),
            called_at: self.called_at.map(Whole::count),
            duration: self.duration.map(Whole::count),
            link: self.link.map(TextOrNumber::get),
            service_code: self.service_code.map(TextOrNumber::get),
            uniq: self.uniq.map(TextOrNumber::get),
            call_responsible: self
                .call_responsible
                .map(TextOrNumber::get)
                .map(responsible),
            is_call_event_needed: self.is_call_event_needed,
        }
    }
}

/// Reads the unsorted leads that `caller` creates.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_new<T: NewUnsorted>(
    body: &[u8],
    known: UnsortedReferences<'_>,
    caller: UserId,
) -> Result<Vec<Item<ComplexLead>>, BatchError> {
    let root = batch::parse(body)?;
    Items::new(&root, "unsorted leads", UNSORTED_MAX)?.read(|item| {
        let (body, details) = T::take(item)?.parts();
        take(item, body, details, known, caller)
    })
}

fn take(
    item: &ObjectReader<'_, '_>,
    body: UnsortedBody,
    details: SubmissionDetails,
    known: UnsortedReferences<'_>,
    caller: UserId,
) -> Option<ComplexLead> {
    let stage = unsorted_stage(item, body.pipeline_id, known.leads);
    let embedded = item.inner("_embedded")?;
    let lead = one(&embedded, "leads", body.embedded.leads);
    let contact_body = one(&embedded, "contacts", body.embedded.contacts);
    let contact = match contact_body? {
        Some(body) => Some(with_first(&embedded, "contacts", |item| {
            take_contact(item, body, known.contacts, caller)
        })?),
        None => None,
    };
    let bare_lead = NewLead {
        name: None,
        price: Price::default(),
        stage: stage?,
        responsible: None,
        contact: None,
        tags: Vec::new(),
        values: FieldValues::default(),
        submission: Some(Submission {
            source_name: body.source_name.get(),
            source_uid: body.source_uid.get(),
            details,
        }),
    };
    let lead = match lead? {
        Some(body) => with_first(&embedded, "leads", |item| {
            take_lead(item, body, known.leads, bare_lead)
        })?,
        None => bare_lead,
    };
    Some(ComplexLead { lead, contact })
}

/// The result of `take` for the first entry of a list.
fn with_first<T>(
    embedded: &ObjectReader<'_, '_>,
    name: &str,
    take: impl FnOnce(&ObjectReader<'_, '_>) -> Option<T>,
) -> Option<T> {
    let list = embedded.optional_list(name)?;
    let first = list.objects().next()?;
    take(&first)
}

/// Reads the link of an unsorted lead. `is_active` returns whether a user is one who can sign in.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_link(
    body: &[u8],
    is_active: impl Fn(UserId) -> bool,
) -> Result<UnsortedLink, BodyError> {
    LinkUnsortedBody::read_as(body, |object, LinkUnsortedBody { link, user_id }| {
        if user_id.is_some_and(|user| !is_active(user)) {
            let detail = "expected the id of an active user of this account".to_owned();
            object.reject("user_id", ViolationCode::NotSupportedChoice, detail);
        }
        let LinkBody {
            entity_id: Number(lead),
            entity_type: LinkedType,
            metadata,
        } = link;
        Some(UnsortedLink {
            lead: LeadId(lead),
            contact: metadata.and_then(|it| it.contact_id),
        })
    })
}

/// The unsorted stage of a pipeline; without one, that of the main pipeline.
pub(super) fn unsorted_stage(
    item: &ObjectReader<'_, '_>,
    pipeline: Option<PipelineId>,
    known: KnownReferences<'_>,
) -> Option<(PipelineId, StageId)> {
    let Some(id) = pipeline else {
        return known.crm.arrival();
    };
    let stage = known.crm.pipeline(id).and_then(|it| it.unsorted());
    if stage.is_none() {
        let detail = "expected the id of a pipeline of this account".to_owned();
        item.reject("pipeline_id", ViolationCode::NotSupportedChoice, detail);
    }
    Some((id, stage?.id))
}

/// The only entry of a list; more than one are refused.
fn one<T>(
    embedded: &ObjectReader<'_, '_>,
    name: &str,
    list: Option<List<T, 1>>,
) -> Option<Option<T>> {
    let entries = list.map_or_else(Vec::new, |list| list.0);
    if entries.len() > 1 {
        let detail = format!("expected at most one of the {name}");
        embedded.reject(name, ViolationCode::InvalidValue, detail);
        return None;
    }
    Some(entries.into_iter().next().flatten())
}

fn take_lead(
    item: &ObjectReader<'_, '_>,
    body: UnsortedLeadBody,
    known: KnownReferences<'_>,
    bare_lead: NewLead,
) -> Option<NewLead> {
    let changes = FieldChanges::read(item, &body.values, EntityKind::Leads, known);
    Some(NewLead {
        name: body.name.map(TextOrNumber::get),
        price: body.price.price.unwrap_or_default(),
        tags: entries::tags_of_new(item, body.added, body.embedded, known)?,
        values: FieldValues::default().with(&changes.values),
        ..bare_lead
    })
}

fn take_contact(
    item: &ObjectReader<'_, '_>,
    body: UnsortedContactBody,
    known: KnownReferences<'_>,
    caller: UserId,
) -> Option<NewContact> {
    let body = NewContactBody {
        entry: EntryFields {
            name: body.name.map(TextOrNumber::get),
            ..EntryFields::default()
        },
        first_name: body.first_name.map(TextOrNumber::get),
        last_name: body.last_name.map(TextOrNumber::get),
        values: body.values,
        added: body.added,
        embedded: body.embedded,
    };
    let contact = new_contact(item, body, known, caller)?;
    // The user who accepts the lead is responsible for both.
    Some(NewContact {
        responsible: None,
        ..contact
    })
}
