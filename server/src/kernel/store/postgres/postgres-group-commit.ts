import { type Param, StoreUnavailableError } from '../sql.ts'
import { combineWrites, type Statement, type Write } from './postgres-writes.ts'

/** Maximum number of statements that run at once. */
const concurrentStatements = 4
/** Maximum number of transactions in one statement. Must be a power of two. */
const groupMaximum = 8

/** A statement that was handed to the driver. */
export interface SentStatement {
  readonly outcome: Promise<unknown>
  /** Returns false while the statement waits for a connection. */
  isOnItsWay(): boolean
  /** Cancels the statement, unless it is on its way. */
  cancel(): void
}

/** Work that can be abandoned. */
export interface Running<T> {
  readonly outcome: Promise<T>
  /** Returns true once PostgreSQL was asked to commit. */
  mayBeDone(): boolean
  /** Rolls the work back and keeps it from doing more. Has no effect once PostgreSQL was asked to commit. */
  abandon(reason: Error): void
}

interface Waiting {
  readonly writes: readonly Write[]
  sent?: SentStatement
  resolve(): void
  reject(error: unknown): void
}

/** Returns true if two transactions write the same tables. */
const isSameKind = (one: Waiting, other: Waiting): boolean =>
  one.writes.length === other.writes.length &&
  one.writes.every((write, at) => write.table === other.writes[at]?.table)

/**
 * Runs transactions that only enqueue writes. When several wait, those of the same kind are combined into one statement,
 * which saves round trips and commits. If it fails, each is retried alone: an error of one does not affect the others.
 *
 * @param send runs a statement, which is atomic
 */
export function groupCommit(send: (statement: Statement) => SentStatement) {
  const waiting: Waiting[] = []
  let busy = 0

  const sendFor = async (group: readonly Waiting[]): Promise<void> => {
    const sent = send(combineWrites(inGroupOrder(group.map(({ writes }) => writes))))
    for (const one of group) one.sent = sent
    await sent.outcome
  }

  const runAlone = async (one: Waiting): Promise<void> => {
    try {
      await sendFor([one])
      one.resolve()
    } catch (error) {
      one.reject(error)
    }
  }

  const runGroup = async (group: readonly Waiting[]): Promise<void> => {
    try {
      await sendFor(group)
    } catch (error) {
      // After a lost connection nobody knows whether the statement was executed, so it must not be retried.
      if (error instanceof StoreUnavailableError) for (const { reject } of group) reject(error)
      else for (const one of group) await runAlone(one)
      return
    }
    for (const { resolve } of group) resolve()
  }

  const next = (): void => {
    while (busy < concurrentStatements && waiting.length > 0) {
      const group = takeGroup(waiting)
      busy += 1
      void (group.length === 1 && group[0] ? runAlone(group[0]) : runGroup(group)).finally(() => {
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
      abandon: (reason) => {
        const at = waiting.indexOf(one)
        if (at === -1) one.sent?.cancel()
        else {
          waiting.splice(at, 1)
          reject(reason)
        }
      },
    }
  }
}

/**
 * Returns the writes of transactions of one kind: all first writes, then all second ones, and so on. Transactions are ordered
 * by the values of their first write, which start with the organization. So two statements write the same rows and chains in
 * the same order, and cannot deadlock.
 */
function inGroupOrder(transactions: readonly (readonly Write[])[]): readonly Write[] {
  if (transactions.length === 1 && transactions[0]) return transactions[0]
  const sorted = transactions.toSorted(([one], [other]) => compareValues(valuesOf(one), valuesOf(other)))
  return (sorted[0] ?? []).flatMap((_, at) => sorted.flatMap((writes) => writes[at] ?? []))
}

function valuesOf(write: Write | undefined): readonly Param[] {
  if (write === undefined) return []
  return 'row' in write ? write.row : [write.org]
}

function compareValues(one: readonly Param[], other: readonly Param[]): number {
  const at = one.findIndex((value, index) => value !== other[index])
  if (at < 0) return 0
  return String(one[at]) < String(other[at]) ? -1 : 1
}

/** Takes the first and others of its kind. The size is a power of two, because each size is another prepared statement. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  const [first] = waiting
  if (first === undefined || waiting.length === 1) return waiting.splice(0)
  const same = waiting.filter((one) => isSameKind(one, first)).slice(0, groupMaximum)
  const group = new Set(same.slice(0, 2 ** Math.floor(Math.log2(same.length))))
  const others = waiting.filter((one) => !group.has(one))
  waiting.splice(0, waiting.length, ...others)
  return [...group]
}
