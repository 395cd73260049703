//! The configuration declares the pipelines of an account, before the account has any.

use crate::Decision;
use crate::crm::{Crm, CrmEvent, Pipeline};
use switchboard_engine::state::{Command, Moment};

/// The configuration declares the pipelines of an account. Of those that are there, only the names can be other ones: leads
/// stand in their stages, and rights name them.
#[derive(Clone, Debug)]
pub struct DeclarePipelines(pub Vec<Pipeline>);

/// The account has other pipelines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the account has the pipelines {stored} already, and their numbers stay; declare these, or choose numbers for a new account only"
)]
pub struct PipelinesRejection {
    /// Those that it has, for people.
    stored: String,
}

impl PipelinesRejection {
    /// Compares the numbers of pipelines and stages.
    ///
    /// # Errors
    /// When they are other ones.
    pub fn check(stored: &[Pipeline], declared: &[Pipeline]) -> Result<(), Self> {
        if numbers(stored).eq(numbers(declared)) {
            return Ok(());
        }
        let list = stored.iter().map(|pipeline| {
            let stages: Vec<_> = pipeline.stages.iter().map(|it| it.id.to_string()).collect();
            format!("{} (stages {})", pipeline.id, stages.join(", "))
        });
        Err(Self {
            stored: list.collect::<Vec<_>>().join(", "),
        })
    }
}

fn numbers(pipelines: &[Pipeline]) -> impl Iterator<Item = (u64, Vec<u64>)> {
    pipelines.iter().map(|pipeline| {
        let stages = pipeline.stages.iter().map(|stage| stage.id.0);
        (pipeline.id.0, stages.collect())
    })
}

impl Command for DeclarePipelines {
    type Of = Crm;
    type Reply = ();
    type Rejection = PipelinesRejection;

    fn decide(
        self,
        state: &Crm,
        _moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, ()>, PipelinesRejection> {
        let Self(declared) = self;
        if state.pipelines == declared {
            return Ok(Decision::unchanged(()));
        }
        if !state.pipelines.is_empty() {
            PipelinesRejection::check(&state.pipelines, &declared)?;
        }
        Ok(Decision::event(CrmEvent::Begun(declared), ()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::chosen;
    use super::*;
    use crate::crm::pipelines::pipelines;
    use crate::id::AccountId;
    use switchboard_engine::state::State;
    use switchboard_engine::testkit::carry_out;

    #[test]
    fn pipelines_are_chosen_once_and_only_their_names_change() {
        let mut crm = Crm::initial(&AccountId::from_random([1; 16]));
        let first = pipelines(&[chosen(7, 50, &[60])]).unwrap();
        carry_out(&mut crm, DeclarePipelines(first.clone())).unwrap();
        assert_eq!(crm.pipelines, first);
        carry_out(&mut crm, DeclarePipelines(first.clone())).unwrap();
        let mut renamed = first;
        renamed[0].stages[1].name = "First call".to_owned();
        carry_out(&mut crm, DeclarePipelines(renamed.clone())).unwrap();
        assert_eq!(crm.pipelines, renamed);
        for other in [
            chosen(8, 50, &[60]),
            chosen(7, 50, &[60, 61]),
            chosen(7, 51, &[60]),
        ] {
            let other = pipelines(&[other]).unwrap();
            let rejection = carry_out(&mut crm, DeclarePipelines(other)).unwrap_err();
            assert!(
                rejection
                    .to_string()
                    .contains("7 (stages 50, 60, 142, 143)"),
                "{rejection}"
            );
        }
        assert_eq!(crm.pipelines, renamed);
    }
}
