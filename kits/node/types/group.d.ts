/**
 * Starts a program in a group of its own: what it starts ends with it, and all of it with this process.
 * @param {string[]} command
 * @param {{ env: NodeJS.ProcessEnv, cwd: string | undefined, output: number, errors: number }} options files for what it writes
 */
export declare function startGroup(command: string[], { env, cwd, output, errors }: {
    env: NodeJS.ProcessEnv;
    cwd: string | undefined;
    output: number;
    errors: number;
}): import("child_process").ChildProcess;
/**
 * Sends a signal to a group.
 * @param {number} pid of its leader
 * @param {NodeJS.Signals} name
 */
export declare function signalGroup(pid: number, name: NodeJS.Signals): void;
