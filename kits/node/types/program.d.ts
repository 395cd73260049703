/**
 * The path of the program: from `SWITCHBOARD_BIN`, else from the package of this platform, else from `PATH`.
 * @returns {string}
 */
export declare function findProgram(env?: NodeJS.ProcessEnv): string;
/**
 * What differs when the program was built again, without reading all of it.
 * @param {string} program
 */
export declare function identityOf(program: string): string;
