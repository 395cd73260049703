/**
 * @typedef {import('./people.js').Customer} Customer
 * @typedef {import('./people.js').User} User
 * @typedef {import('./receiver.js').Answer} Answer
 * @typedef {import('./receiver.js').Callback} Callback
 * @typedef {import('./receiver.js').Hook} Hook
 * @typedef {import('./switchboard.js').WorldOptions} WorldOptions
 * @typedef {import('./tested.js').ProgramOptions} ProgramOptions
 * @typedef {import('./values.js').Duration} Duration
 * @typedef {import('./world.js').Until} Awaited
 * @typedef {import('./world.js').Clock} Clock
 * @typedef {import('./world.js').ClockMode} ClockMode
 * @typedef {import('./world.js').Fault} Fault
 * @typedef {import('./world.js').FaultOptions} FaultOptions
 * @typedef {import('./exam.js').ExamOptions} ExamOptions
 * @typedef {import('./exam.js').ExamReport} ExamReport
 * @typedef {import('./exam.js').ExamRule} ExamRule
 * @typedef {import('./people.js').HabitOptions} HabitOptions
 * @typedef {import('./world.js').Habit} Habit
 * @typedef {import('./world.js').JournalEntry} JournalEntry
 * @typedef {import('./world.js').Message} Message
 * @typedef {import('./world.js').OauthClient} OauthClient
 * @typedef {import('./world.js').WaitOptions} WaitOptions
 */

export { ApiError, SwitchboardError, WaitError } from './errors.js';
export { exam, ExamError } from './exam.js';
export { Receiver } from './receiver.js';
export { isSigned, sign } from './signature.js';
export { Switchboard } from './switchboard.js';
export { Program } from './tested.js';
export { withWorld } from './with_world.js';
export { World } from './world.js';
