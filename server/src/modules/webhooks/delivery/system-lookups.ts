import { lookup } from 'node:dns/promises'
import { boundedMap } from '../../../kernel/lib/bounded-map.ts'

/**
 * Look-ups by the system (getaddrinfo). Each holds one of libuv's four threads, which files, password hashes and zlib
 * need too, for as long as the system waits for its name servers, and cannot be canceled. So the whole process runs at
 * most two, and one of these is for names that the system has resolved before: dead names cannot delay them.
 */
const slots = 2
const slotsOfUnknown = 1
const knownNames = 1000

interface Waiting {
  readonly name: string
  /** By `performance.now()`: nobody waits any longer. */
  untilMs: number
  start(): void
}

const waiting: Waiting[] = []
const shared = new Map<string, { answer: Promise<readonly string[]>; entry: Waiting }>()
/** True for a name that the system resolved when it was last asked. */
const resolved = boundedMap<string, boolean>(knownNames)
let running = 0

/** Every system knows `localhost` and the names below it (RFC 6761). */
const knows = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || resolved.get(name) === true

/** Names that the system knows go first, names that it did not know last time go last. */
const rank = (name: string): number => (knows(name) ? 0 : resolved.get(name) === undefined ? 1 : 2)

function startNext(): void {
  for (;;) {
    const [best] = waiting.map(({ name }, at) => ({ at, rank: rank(name) })).sort((a, b) => a.rank - b.rank)
    if (!best || running >= (best.rank === 0 ? slots : slotsOfUnknown)) return
    const [next] = waiting.splice(best.at, 1)
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
 * Asks the system for the addresses of a name, when it is its turn.
 *
 * @param untilMs by `performance.now()`: if its turn comes later, the promise never settles; the caller has its own limit
 * @throws Error when the system does not know the name
 */
function lookUp(name: string, untilMs: number): Promise<readonly string[]> {
  const known = shared.get(name)
  if (known) {
    known.entry.untilMs = untilMs
    return known.answer
  }
  const { promise: turn, resolve: start } = Promise.withResolvers<void>()
  const entry: Waiting = { name, untilMs, start }
  const answer = turn.then(() => ask(name))
  shared.set(name, { answer, entry })
  waiting.push(entry)
  startNext()
  return answer
}

export const systemLookups = { knows, lookUp }
