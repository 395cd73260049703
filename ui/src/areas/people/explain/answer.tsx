import type { ComponentChildren } from 'preact';
import { Icon } from '../../../parts/icon';
import { people } from '../../../words/people';
import { Right } from '../letter';
import type { Action, Letter } from '../rights';
import { stageName } from '../roles/stages';
import type { Pipeline, User } from '../types';
import type { Question } from './question';

/** A step as the service tells it. */
export type Step =
  | { step: 'flag'; flag: 'inactive' | 'free' | 'administrator'; right: Letter }
  | { step: 'general'; role?: number; right: Letter }
  | { step: 'inherited' }
  | { step: 'stage'; pipeline_id: number; status_id: number; right: Letter }
  | { step: 'limited'; by: Action; right: Letter }
  | { step: 'subscriber'; right: Letter }
  | { step: 'reach'; relation: Relation; allowed: boolean };

type Relation = 'own' | 'same_group' | 'other';

export interface Ruling {
  user_id: number;
  allowed: boolean;
  right: Letter;
  steps: Step[];
}

export interface Lead {
  id: number;
  name: string;
  pipeline_id: number;
  status_id: number;
  /** Null: nobody. */
  responsible_user_id: number | null;
}

interface Props {
  question: Question;
  ruling: Ruling;
  lead: Lead | undefined;
  users: readonly User[];
  pipelines: readonly Pipeline[];
}

const isWithin = (relation: Relation, right: Letter): boolean =>
  right === 'A' || (right === 'G' && relation !== 'other') || (right === 'M' && relation === 'own');

/** One of the three steps: what it says, and what is left after it. */
interface Told {
  title: string;
  says: ComponentChildren;
  right: Letter;
}

function three({ question, ruling, lead, users, pipelines }: Props): Told[] {
  const words = people().explain;
  const [general, stage, chat]: [ComponentChildren[], string[], string[]] = [[], [], []];
  let [afterGeneral, afterStage, afterChat]: Letter[] = ['D', 'D', 'D'];
  let isFlag = false;
  for (const step of ruling.steps) {
    if (step.step === 'flag') {
      isFlag = true;
      general.push(words.flags[step.flag]);
      afterGeneral = afterStage = afterChat = step.right;
    } else if (step.step === 'general') {
      const of = users.find((user) => user.id === question.user)?._embedded?.roles?.[0];
      general.push(
        step.role === undefined ? (
          words.own
        ) : (
          <>
            {words.role} <a href={`/roles/${step.role}`}>{of?.id === step.role ? of.name : `#${step.role}`}</a>
          </>
        ),
      );
      afterGeneral = afterStage = afterChat = step.right;
    } else if (step.step === 'inherited') {
      general.push(` · ${words.inherited}`);
    } else if (step.step === 'stage') {
      stage.push(words.stage(stageName(pipelines, step)));
      afterStage = afterChat = step.right;
    } else if (step.step === 'limited') {
      stage.push(words.limited(people().actions[step.by]));
      afterStage = afterChat = step.right;
    } else if (step.step === 'subscriber') {
      chat.push(words.subscribed);
      afterChat = step.right;
    }
  }
  if (stage.length === 0) {
    stage.push(isFlag ? words.decided : question.thing !== 'leads' ? words.onlyLeads : lead === undefined ? words.noLead : words.noStage(stageName(pipelines, lead)));
  }
  if (chat.length === 0) {
    chat.push(isFlag ? words.decided : question.thing !== 'leads' ? words.onlyLeads : question.action === 'view' ? words.noSubscriber : words.onlyView);
  }
  return [
    { title: words.steps.general, says: general, right: afterGeneral ?? 'D' },
    { title: words.steps.stage, says: stage.join('; '), right: afterStage ?? 'D' },
    { title: words.steps.subscriber, says: chat, right: afterChat ?? 'D' },
  ];
}

/** Yes or no, with the three steps of the calculation and what they come to. */
export function Answer(props: Props) {
  const { ruling, lead, users, question } = props;
  const words = people().explain;
  const reach = ruling.steps.find((step) => step.step === 'reach');
  const relation = reach?.relation ?? 'other';
  const name = (id: number): string => users.find((user) => user.id === id)?.name ?? people().roles.user(id);
  const answers = lead?.responsible_user_id ?? undefined;
  const responsible = answers === undefined ? undefined : name(answers);
  const action = question.action === undefined ? undefined : people().actions[question.action];
  const asked = words.asked(name(ruling.user_id), action, people().things[question.thing], question.id);
  return (
    <section class={`answer card ${ruling.allowed ? 'yes' : 'no'}`} aria-labelledby="answer">
      <h2 id="answer">
        <Icon name={ruling.allowed ? 'check' : 'stopped'} />
        <b>{ruling.allowed ? words.yes : words.no}</b> <span>{asked}</span>
      </h2>
      <ol>
        {three(props).map((step) => (
          <li key={step.title}>
            <b>{step.title}</b>
            <span>{step.says}</span>
            <Right letter={step.right} />
            <span class="so-far">{isWithin(relation, step.right) ? words.yes : words.no}</span>
          </li>
        ))}
      </ol>
      <p>
        {words.relation[relation](responsible)} {words.reaches(people().reach[ruling.right], ruling.right)}
      </p>
    </section>
  );
}
