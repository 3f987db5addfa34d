/** Lets what else waits in this process run, before work that takes some milliseconds goes on. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
