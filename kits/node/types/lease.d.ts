import net from 'node:net';
export type Answering = import('./running.js').Ready & {
    logFile: string;
};
/** A right to use one process of the program. The process ends after the last lease has ended. */
export declare class Lease {
    #private;
    process: Answering;
    /** Why the process cannot be used any more. */
    ended: Promise<string>;
    /**
     * @param {net.Socket} socket
     * @param {Answering} process
     * @param {Promise<string>} ended
     */
    constructor(socket: net.Socket, process: Answering, ended: Promise<string>);
    /**
     * A lease on the process of this name, which this call starts unless it runs. Programs that the same parent started share
     * a process: these are the workers of one test runner.
     * @param {string} program
     * @param {string} [name] without it the lease is the only one
     */
    static take(program: string, name?: string): Promise<Lease>;
    /** Gives the lease back. For the last lease, waits until the process has ended. */
    end(): Promise<void>;
}
