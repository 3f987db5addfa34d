import { StoreUnavailableError } from '../sql.ts'
import { type Statement, statementOf, type Write } from './postgres-writes.ts'

/** So many statements are under way at once, and so many transactions go into one; a power of two. */
const lanes = 4
const largest = 8

/** A statement that was handed to the driver. */
export interface Sent {
  readonly outcome: Promise<unknown>
  /** Whether it was sent to PostgreSQL, and does not only wait for a connection. */
  isOnItsWay(): boolean
  /** Leaves it undone, unless it is on its way. */
  takeBack(): void
}

/** Work that may be given up. */
export interface Running<T> {
  readonly outcome: Promise<T>
  /** Whether PostgreSQL was told to do it for good. */
  mayBeDone(): boolean
  /** Leaves it undone, and lets it do nothing more; too late once PostgreSQL was told to do it for good. */
  giveUp(why: Error): void
}

interface Waiting {
  readonly writes: readonly Write[]
  sent?: Sent
  /** The same for transactions that write the same columns of the same tables; found out when there are several. */
  kind?: string
  resolve(): void
  reject(error: unknown): void
}

function kindOf(one: Waiting): string {
  one.kind ??= one.writes
    .map((write) => {
      if ('sql' in write) return write.sql
      return 'row' in write ? write.table : [write, ...write.sides].map(({ table }) => table).join()
    })
    .join(' ')
  return one.kind
}

/**
 * Runs transactions that only add rows. When several wait for their turn, some of the same kind become one statement, so
 * that they share a way to the database and a commit. If it fails, each is tried by itself: one that is refused takes
 * nobody with it.
 *
 * @param send runs a statement that is all or nothing
 */
export function writesTogether(send: (statement: Statement) => Sent) {
  const waiting: Waiting[] = []
  let busy = 0

  const sendFor = async (batch: readonly Waiting[]): Promise<void> => {
    const sent = send(statementOf(batch.flatMap(({ writes }) => writes)))
    for (const one of batch) one.sent = sent
    await sent.outcome
  }

  const alone = async (one: Waiting): Promise<void> => {
    try {
      await sendFor([one])
      one.resolve()
    } catch (error) {
      one.reject(error)
    }
  }

  const run = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      await sendFor(batch)
    } catch (error) {
      // Whether it was done is not known when the connection was lost: nothing is tried twice then.
      if (error instanceof StoreUnavailableError) for (const { reject } of batch) reject(error)
      else for (const one of batch) await alone(one)
      return
    }
    for (const { resolve } of batch) resolve()
  }

  const next = (): void => {
    while (busy < lanes && waiting.length > 0) {
      const batch = takeBatch(waiting)
      busy += 1
      void (batch.length === 1 && batch[0] ? alone(batch[0]) : run(batch)).finally(() => {
        busy -= 1
        next()
      })
    }
  }

  return (writes: readonly Write[]): Running<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const one: Waiting = { writes, resolve, reject }
    waiting.push(one)
    next()
    return {
      outcome: promise,
      mayBeDone: () => one.sent?.isOnItsWay() ?? false,
      giveUp: (why) => {
        const at = waiting.indexOf(one)
        if (at === -1) one.sent?.takeBack()
        else {
          waiting.splice(at, 1)
          reject(why)
        }
      },
    }
  }
}

/** The first that waits and others of its kind; one of few numbers, as each is a statement that is prepared. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  const [first] = waiting
  if (first === undefined || waiting.length === 1) return waiting.splice(0)
  const same = waiting.filter((one) => kindOf(one) === kindOf(first)).slice(0, largest)
  const batch = new Set(same.slice(0, 2 ** Math.floor(Math.log2(same.length))))
  const others = waiting.filter((one) => !batch.has(one))
  waiting.splice(0, waiting.length, ...others)
  return [...batch]
}
