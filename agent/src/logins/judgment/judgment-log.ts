import { registrableHost } from '@muster/contract/catalog/catalog'
import { type SessionValue, sessionValue, taskQueue } from '../../state/session-value.ts'
import type { PendingAttempt } from '../attempts/attempt.ts'
import type { Judgment } from './judge.ts'

/** Judged attempt for the debug page. Contains no identity and no password data. */
export interface JudgedAttempt {
  /** Time at which the form was submitted; Unix milliseconds. */
  readonly startedMs: number
  readonly tabId: number
  /** Registrable domain of the page with the form. */
  readonly site: string
  readonly judgment: Judgment
}

const attemptsMaximum = 50

const judged: SessionValue<readonly JudgedAttempt[]> = sessionValue('logins.judged', [])
const enqueue = taskQueue()

/** Stores the latest judgment of an attempt, replacing an earlier one. */
export function logJudgment({ tabId, startedMs, url }: PendingAttempt, judgment: Judgment): Promise<void> {
  const { hostname } = new URL(url)
  const entry: JudgedAttempt = { startedMs, tabId, site: registrableHost(hostname) ?? hostname, judgment }
  return enqueue(async () => {
    const known = await judged.read()
    const isSame = (other: JudgedAttempt) => other.startedMs === startedMs && other.tabId === tabId
    const last = known.find(isSame)
    if (last && JSON.stringify(last.judgment) === JSON.stringify(judgment)) return
    await judged.write([entry, ...known.filter((other) => !isSame(other))].slice(0, attemptsMaximum))
  })
}

/** Returns the judged attempts of this browser session, latest first. */
export const judgedAttempts = (): Promise<readonly JudgedAttempt[]> => judged.read()
