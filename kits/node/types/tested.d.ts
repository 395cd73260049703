export type ProgramOptions = {
    /**
     * of its address for callbacks, `/` if absent
     */
    path?: string;
    /**
     * more variables
     */
    env?: Record<string, string>;
    /**
     * its working directory
     */
    cwd?: string;
    /**
     * until it accepts connections, 30 seconds if absent
     */
    timeout?: import('./values.js').Duration;
};
/** A tested program that accepts connections. Callbacks of its world go to `url`. */
export declare class Program {
    #private;
    port: number;
    url: string;
    pid: number | undefined;
    /**
     * Starts a program and waits until it accepts connections.
     * @param {import('./world.js').World} world
     * @param {string[]} command the program and its arguments
     * @param {ProgramOptions} options
     */
    static start(world: import('./world.js').World, command: string[], { path: place, env, cwd, timeout }?: ProgramOptions): Promise<Program>;
    /**
     * @param {string[]} command
     * @param {NodeJS.ProcessEnv} env
     * @param {string | undefined} cwd
     * @param {number} port
     * @param {string} place
     * @private
     */
    private constructor();
    /** The end of what the program has written to its standard output and error. */
    output(): string;
    /** Ends the program and all that it has started: with SIGTERM, and after 5 seconds with SIGKILL. */
    stop(): Promise<void>;
    /** What a failed test shows of the program. */
    shown(): string;
}
