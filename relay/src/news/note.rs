//! Shapes are noted that were not seen before.

use std::collections::BTreeSet;
use std::convert::Infallible;

use crate::Decision;
use crate::news::{RelayNews, RelayNewsEvent, SHAPES_MAX};
use switchboard_engine::state::{Command, Moment};

/// Notes shapes.
#[derive(Clone, Debug)]
pub struct NoteNews {
    /// The shapes of a hook or of an answer.
    pub shapes: BTreeSet<String>,
}

impl Command for NoteNews {
    type Of = RelayNews;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &RelayNews,
        moment: &mut Moment<'_, RelayNewsEvent>,
    ) -> Result<Decision<RelayNewsEvent, ()>, Infallible> {
        let room = SHAPES_MAX.saturating_sub(state.shapes.len());
        let new = self.shapes.into_iter().filter(|shape| !state.knows(shape));
        let shapes: BTreeSet<String> = new.take(room).collect();
        if shapes.is_empty() {
            return Ok(Decision::unchanged(()));
        }
        let at = moment.now;
        Ok(Decision::event(RelayNewsEvent::Seen { shapes, at }, ()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use switchboard_domain::time::UnixMillis;
    use switchboard_engine::state::State as _;

    #[test]
    fn a_shape_is_noted_once_and_their_number_is_bounded() {
        let mut news = RelayNews::initial(&"shop".parse().unwrap());
        let mut note = |shapes: Vec<String>, secs| {
            let mut random = || [1; 16];
            let mut moment = Moment {
                now: UnixMillis::from_secs(secs),
                random: &mut random,
                earlier: &[],
            };
            let shapes = shapes.into_iter().collect();
            let decision = NoteNews { shapes }.decide(&news, &mut moment).unwrap();
            for recorded in &decision.events {
                news.apply(&recorded.event);
            }
            decision.events.len()
        };
        assert_eq!(note(vec!["field: a".to_owned()], 5), 1);
        assert_eq!(note(vec!["field: a".to_owned()], 6), 0);
        let many = (0..2 * SHAPES_MAX)
            .map(|n| format!("field: f{n}"))
            .collect();
        assert_eq!(note(many, 7), 1);
        assert_eq!(note(vec!["field: z".to_owned()], 8), 0);
        assert_eq!(news.iter().count(), SHAPES_MAX);
        assert!(
            news.iter()
                .any(|it| it == ("field: a", UnixMillis::from_secs(5)))
        );
    }
}
