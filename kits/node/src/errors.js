import { AssertionError } from 'node:assert';

/** An error of the kit: the program was not found, it did not start, it ended, or it did not answer. */
export class SwitchboardError extends Error {
  /**
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(message, options) {
    super(message, options);
    this.name = 'SwitchboardError';
  }
}

/** A request that Switchboard refused. The fields are those of its problem document (RFC 9457). */
export class ApiError extends SwitchboardError {
  /**
   * @param {string} request the method and the path
   * @param {number} status
   * @param {{ title?: string, detail?: string, errors?: { path?: string, detail?: string }[] }} problem
   */
  constructor(request, status, problem) {
    const { title = 'The answer is no problem document', detail = '', errors = [] } = problem;
    const fields = errors.map((error) => `\n  ${error.path ?? '(body)'}: ${error.detail ?? ''}`).join('');
    super(`${request} was refused with ${status}: ${title}${detail && `: ${detail}`}${fields}`);
    this.name = 'ApiError';
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.errors = errors;
  }
}

/** What `world.wait` waited for cannot happen any more. It is an assertion error: test frameworks report a failed test. */
export class WaitError extends AssertionError {
  /**
   * @param {string} wait the call
   * @param {string} why
   * @param {string[]} near what happened instead
   * @param {number} cursor
   */
  constructor(wait, why, near, cursor) {
    const instead = near.length > 0 ? `\nWhat happened instead:${near.map((line) => `\n  ${line}`).join('')}` : '';
    super({ message: `${wait} was not met: ${why}${instead}`, operator: 'wait' });
    this.why = why;
    this.near = near;
    this.cursor = cursor;
  }
}
