import { AssertionError } from 'node:assert';
export type ExamOptions = {
    /**
     * `bridge` if absent
     */
    profile?: 'bridge' | 'bot' | 'both';
    /**
     * the rules to try, all of the profile if absent
     */
    only?: number[];
    /**
     * the rules that are not tried, each with the reason
     */
    waive?: Record<number, string>;
    /**
     * fails for warnings and for rules that were not tried, too
     */
    strict?: boolean;
    /**
     * of the program's address for callbacks, `/` if absent
     */
    path?: string;
    /**
     * the path and perhaps the query of its address for hooks, `/hooks` if absent
     */
    hooksPath?: string;
    /**
     * the number of rules that are tried at once
     */
    jobs?: number;
    /**
     * more flags of `switchboard exam`, such as `--html=exam.html`; paths begin in `cwd`
     */
    flags?: string[];
    /**
     * more variables
     */
    env?: Record<string, string>;
    /**
     * its working directory
     */
    cwd?: string;
    /**
     * of real time until the exam is ended, 10 minutes if absent
     */
    timeout?: import('./values.js').Duration;
    /**
     * ends the exam, as that of a test which is cancelled
     */
    signal?: AbortSignal;
};
export type ExamRule = {
    number: number;
    title: string;
    verdict: 'holds' | 'breaks' | 'warns' | 'not_tried' | 'waived';
    /**
     * the reason of the verdict, or an empty text
     */
    why: string;
    advice: string;
    /**
     * its page in the documentation
     */
    page: string;
};
export type ExamReport = {
    /**
     * the numbers of verdicts
     */
    headline: string;
    /**
     * by their numbers
     */
    rules: Record<number, ExamRule>;
    /**
     * what a terminal shows
     */
    text: string;
    /**
     * the whole report
     */
    document: Record<string, any>;
};
/** The program does not pass. It is an assertion error: test frameworks report a failed test. */
export declare class ExamError extends AssertionError {
    report: ExamReport;
    /**
     * @param {string} program
     * @param {ExamReport} report which rules it breaks, and what to do
     */
    constructor(program: string, report: ExamReport);
}
/**
 * Examines a program in worlds of the exam's own.
 * @param {string | string[]} command the program and its arguments, which the exam parts at the spaces of a text
 * @param {ExamOptions} [options]
 * @returns {Promise<ExamReport>}
 */
export declare function exam(command: string | string[], options?: ExamOptions): Promise<ExamReport>;
