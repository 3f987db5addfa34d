import type { Logger } from 'pino'
import type { Principal } from '../../kernel/http/principal.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { addKeyHours, type KeyHour } from './api-key-hours.service.ts'

/** Counts the requests of keys by the hour. */
export interface RequestCounts {
  /** Counts a request; quick, for it is called for each. */
  note(principal: Principal, nowMs: number): void
  /** Writes what was counted since the last time. */
  flush(): Promise<void>
}

const hourMs = 60 * 60 * 1000
/** How long counts are held in the process at most; those of a process that is killed are lost. */
const writtenEveryMs = 60_000

/** Makes what counts requests in the process and adds them up in the store now and then. */
export function requestCounts(db: Db, log: Logger): RequestCounts {
  let counts = new Map<string, Map<number, KeyHour & { requests: number }>>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    const taken = [...counts.values()].flatMap((hours) => [...hours.values()])
    counts = new Map()
    await addKeyHours(db, taken).catch((error) =>
      log.warn({ err: error }, 'the requests of API keys were not counted'),
    )
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    // One after the other, so that whoever waits for it sees all that was counted before.
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
      timer ??= setTimeout(() => void flush(), writtenEveryMs).unref()
    },
    flush,
  }
}
