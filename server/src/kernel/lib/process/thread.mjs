// The entry of a thread, in plain JavaScript. Its module is one that the main thread can load, too, so that the compile
// cache has it before the thread starts: without, the thread would keep what makes JavaScript of TypeScript, 14 MB.
import { workerData } from 'node:worker_threads'
import './bundled-packages.mjs'

const { module, data } = workerData
const { runThread } = await import(module)
runThread(data)
