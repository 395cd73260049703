//! Reads the pipelines that a configuration chooses for an account.

use switchboard_actors::domain::crm::Pipeline;
use switchboard_actors::domain::crm::pipelines::{
    ChosenPipeline, ChosenStage, PipelineError, PipelineFields, PipelineStageFields,
    pipelines as checked,
};
use switchboard_actors::domain::field::{HasFields, When, given_when};

use super::fields::Fields;
use super::reader::Reader;
use super::section::Section;
use super::tree::Origin;

/// The tables of pipelines, and those of their stages.
const PATTERN: &str = "accounts.pipelines";
/// See [`PATTERN`].
const STAGES: &str = "accounts.pipelines.stages";

fn names<T: HasFields>() -> impl Iterator<Item = &'static str> {
    given_when::<T>(When::Declared).map(|field| field.name)
}

/// The pipelines of this account; empty when it names none, and when something is wrong with them, which is then reported.
pub(super) fn pipelines(reader: &mut Reader, account: &mut Section) -> Vec<Pipeline> {
    reader.know(PATTERN, names::<PipelineFields>());
    reader.know(STAGES, names::<PipelineStageFields>());
    let path = format!("{}.pipelines", account.path());
    let sections = reader.list(account, "pipelines");
    let origins: Vec<Origin> = sections.iter().map(Section::origin).collect();
    let pipelines: Vec<_> = sections
        .into_iter()
        .map(|section| pipeline(reader, section))
        .collect();
    // Numbers are compared once each is there.
    let Some(pipelines) = pipelines.into_iter().collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    if pipelines.is_empty() {
        return Vec::new();
    }
    checked(&pipelines).unwrap_or_else(|wrong| {
        for PipelineError { path: at, why } in wrong {
            let words: Vec<&str> = at.split('.').filter(|word| !word.is_empty()).collect();
            let place = words.first().and_then(|word| word.parse::<usize>().ok());
            let section = place.and_then(|place| origins.get(place));
            let origin = section.or(origins.first()).cloned();
            let headline = format!("`{path}{}` is not valid", indexed(&words));
            reader.problem(
                "bad-value",
                &headline,
                &origin.unwrap_or(Origin::Line(1)),
                why,
            );
        }
        Vec::new()
    })
}

fn pipeline(reader: &mut Reader, mut section: Section) -> Option<ChosenPipeline> {
    let fields = PipelineFields::read(&mut Fields(reader, &mut section));
    let sections = reader.list(&mut section, "stages");
    let stages: Vec<_> = sections
        .into_iter()
        .map(|mut stage| {
            let fields = PipelineStageFields::read(&mut Fields(reader, &mut stage));
            reader.close(stage);
            Some(ChosenStage {
                id: fields.id?,
                name: fields.name?,
            })
        })
        .collect();
    reader.close(section);
    Some(ChosenPipeline {
        id: fields.id?,
        name: fields.name?,
        unsorted: fields.unsorted_id?,
        stages: stages.into_iter().collect::<Option<_>>()?,
    })
}

/// A path as it stands in a configuration: `0.stages.1.id` is `[0].stages[1].id`.
fn indexed(words: &[&str]) -> String {
    let steps = words.iter().map(|word| {
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            format!("[{word}]")
        } else {
            format!(".{word}")
        }
    });
    steps.collect()
}
