import type { Logger } from 'pino'
import type { Principal } from '../../kernel/http/principal.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { addKeyHours, type KeyHour } from './api-key-hours.service.ts'

/** Counts requests per key and hour. */
export interface RequestCounts {
  /** Counts a request in memory. Called for every request. */
  note(principal: Principal, nowMs: number): void
  /** Adds the counts in memory to the store. */
  flush(): Promise<void>
}

const hourMs = 60 * 60 * 1000
/** Maximum delay of a write. A crash loses the counts in memory. */
const flushDelayMs = 60_000

/** Creates a counter that keeps counts in memory and writes them a minute after the first request. */
export function requestCounts(db: Db, log: Logger): RequestCounts {
  let counts = new Map<string, Map<number, KeyHour & { requests: number }>>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    const unwritten = [...counts.values()].flatMap((hours) => [...hours.values()])
    counts = new Map()
    await addKeyHours(db, unwritten).catch((error) =>
      log.warn({ err: error }, 'API keys: request counts could not be stored'),
    )
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    // Sequential: after a flush, all earlier counts must be readable.
    writing = writing.then(write)
    return writing
  }

  return {
    note: ({ keyId, org }, nowMs) => {
      const hour = Math.floor(nowMs / hourMs)
      const hours = counts.get(keyId) ?? new Map<number, KeyHour & { requests: number }>()
      if (hours.size === 0) counts.set(keyId, hours)
      const known = hours.get(hour)
      if (known) known.requests += 1
      else hours.set(hour, { org, keyId, hourTimestamp: (hour * hourMs) / 1000, requests: 1 })
      timer ??= setTimeout(() => void flush(), flushDelayMs).unref()
    },
    flush,
  }
}
