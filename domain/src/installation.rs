//! What the operator declares: channels and accounts. What a configuration names exists after start-up; nothing is
//! removed by leaving it out.

pub mod accounts;
pub mod channels;
