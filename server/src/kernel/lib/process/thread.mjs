// Entry point of worker threads. Plain JavaScript; the module itself can also be loaded by the main thread, which fills the
// compile cache. Otherwise the thread would keep the TypeScript compiler in memory (14 MB).
import { workerData } from 'node:worker_threads'
import './bundled-packages.mjs'

const { module, data } = workerData
const { runThread } = await import(module)
runThread(data)
