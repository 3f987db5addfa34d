import { lookup } from 'node:dns/promises'
import { boundedMap } from '../../../kernel/lib/bounded-map.ts'

/**
 * Limits of look-ups by the system (getaddrinfo). Each blocks one of libuv's four threads, which file access, password
 * hashing and zlib share, and cannot be canceled. The process runs at most two, one of them reserved for names that
 * the system has resolved before, to keep dead names from delaying them.
 */
const maxRunning = 2
const maxRunningUnknown = 1
const maxRememberedNames = 1000

interface QueuedLookUp {
  readonly name: string
  /** Time by `performance.now()` after which no caller waits for the answer. */
  untilMs: number
  start(): void
}

const queue: QueuedLookUp[] = []
const shared = new Map<string, { answer: Promise<readonly string[]>; entry: QueuedLookUp }>()
/** Result of the last look-up of a name: true if the system resolved it. */
const resolved = boundedMap<string, boolean>(maxRememberedNames)
let running = 0

/** True for names that the system resolves: seen before, or below `localhost` (RFC 6761). */
const knows = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || resolved.get(name) === true

/** Returns the priority of a name: known names first, names that failed last time last. */
const rank = (name: string): number => (knows(name) ? 0 : resolved.get(name) === undefined ? 1 : 2)

function startNext(): void {
  for (;;) {
    const [best] = queue
      .map(({ name }, index) => ({ index, rank: rank(name) }))
      .sort((a, b) => a.rank - b.rank)
    if (!best || running >= (best.rank === 0 ? maxRunning : maxRunningUnknown)) return
    const [next] = queue.splice(best.index, 1)
    if (!next) return
    if (performance.now() >= next.untilMs) {
      shared.delete(next.name)
      continue
    }
    running += 1
    next.start()
  }
}

async function ask(name: string): Promise<readonly string[]> {
  try {
    const addresses = await lookup(name, { all: true })
    resolved.set(name, true)
    return addresses.map(({ address }) => address)
  } catch (error) {
    resolved.set(name, false)
    throw error
  } finally {
    running -= 1
    shared.delete(name)
    startNext()
  }
}

/**
 * Queues a look-up of a name by the system.
 *
 * @param untilMs deadline by `performance.now()`. If the look-up cannot start before, the promise never settles; callers
 *   need their own timeout
 * @throws Error when the system does not know the name
 */
function lookUp(name: string, untilMs: number): Promise<readonly string[]> {
  const known = shared.get(name)
  if (known) {
    known.entry.untilMs = untilMs
    return known.answer
  }
  const { promise: turn, resolve: start } = Promise.withResolvers<void>()
  const entry: QueuedLookUp = { name, untilMs, start }
  const answer = turn.then(() => ask(name))
  shared.set(name, { answer, entry })
  queue.push(entry)
  startNext()
  return answer
}

export const systemLookups = { knows, lookUp }
