//! The account interface, `/api/v4`.

mod access;
mod adding;
mod audit;
mod chats;
mod complex_leads;
mod contacts;
mod custom_fields;
mod details;
mod events;
mod field_values;
mod filters;
mod leads;
mod links;
mod not_offered;
mod notes;
mod nothing;
mod pipelines;
mod same_number;
mod send_talk_message;
mod several;
mod shapes;
mod sources;
mod tags;
mod talk_messages;
mod talks;
mod value_filters;
