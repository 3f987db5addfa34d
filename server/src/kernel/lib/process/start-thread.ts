import { fileURLToPath } from 'node:url'
import { type Transferable, Worker } from 'node:worker_threads'
import { threadEnvironment } from './compile-cache.ts'

/**
 * Starts a worker thread that calls `runThread(data)` of a module.
 *
 * @param module URL of the module
 * @param transfers parts of the data that are moved, not copied
 */
export function startThread(module: URL, data: unknown, transfers: readonly Transferable[] = []): Worker {
  return new Worker(fileURLToPath(new URL('./thread.mjs', import.meta.url)), {
    workerData: { module: module.href, data },
    transferList: [...transfers],
    env: threadEnvironment(),
    resourceLimits: { maxYoungGenerationSizeMb: 3 },
  })
}
