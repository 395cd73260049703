export type Ready = {
    pid: number;
    version: string;
    url: string;
    dev: {
        url: string;
        token: string;
    };
};
/** One process of the program in a folder of its own. */
export declare class Running {
    #private;
    logFile: string;
    /** How the process ended. */
    ended: Promise<string>;
    /**
     * @param {string} program
     * @param {string} folder an empty folder: its working directory, with its log
     */
    constructor(program: string, folder: string);
    /** @returns {Promise<Ready>} */
    ready(): Promise<Ready>;
    /** Ends the process, and waits for its end. */
    stop(): Promise<void>;
    endOfLog(): string;
}
