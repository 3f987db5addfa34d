import type { Mistake } from '@muster/contract/api/errors'
import type { WorkChange } from '@muster/contract/console/work/console-work'
import {
  type PauseStatus,
  pauseSecondsMaximum,
  type WorkEntry,
  type WorkList,
  type WorkStatus,
} from '@muster/contract/console/work/work-fields'
import type { Finding } from '@muster/contract/records/finding'

/** Work on a record, as it is stored. */
export interface WorkState {
  readonly assigneeId: string | null
  readonly assigneeName: string | null
  /** Status that holds until a time; null if there is none. */
  readonly status: PauseStatus | null
  readonly untilTimestamp: number | null
}

export const noWork: WorkState = { assigneeId: null, assigneeName: null, status: null, untilTimestamp: null }

/** Returns the status that is in force; null if it has ended. */
export const pauseOf = ({ status, untilTimestamp }: WorkState, nowSeconds: number): PauseStatus | null =>
  status !== null && (untilTimestamp ?? 0) > nowSeconds ? status : null

/** Returns the work status of a finding. */
export const workStatusOf = (state: Finding['state'], work: WorkState, nowSeconds: number): WorkStatus =>
  state === 'RESOLVED' ? 'RESOLVED' : (pauseOf(work, nowSeconds) ?? 'TO_DO')

/** Returns the mistakes of a change. */
export function changeMistakes(list: WorkList, change: WorkChange, nowSeconds: number): Mistake[] {
  const { status, untilTimestamp, reason } = change
  const mistakes: Mistake[] = []
  const add = (name: string, message: string) => {
    mistakes.push({ in: 'body', name: `change.${name}`, message })
  }
  const isPause = status !== undefined && status !== 'TO_DO'
  if (status !== undefined && list !== 'findings')
    add('status', 'must not be given: a detection is archived instead')
  if (!isPause) {
    for (const name of ['untilTimestamp', 'reason'] as const)
      if (change[name] !== undefined)
        add(name, 'must not be given without the status SNOOZED or RISK_ACCEPTED')
    return mistakes
  }
  if (untilTimestamp === undefined) add('untilTimestamp', 'is required: the time when the status ends')
  else if (untilTimestamp <= nowSeconds || untilTimestamp > nowSeconds + pauseSecondsMaximum)
    add('untilTimestamp', 'must be in the future, at most three years from now')
  if (status === 'RISK_ACCEPTED' && (reason === undefined || reason.trim() === ''))
    add('reason', 'is required: why the risk is accepted')
  return mistakes
}

/** A change with the name of the new assignee. */
export type NamedChange = WorkChange & { readonly assigneeName: string | null }

/** New entry of a history, without its author and its time. */
export type NewEntry = Omit<WorkEntry, 'author' | 'timestamp'>

export interface ChangedWork {
  readonly work: WorkState
  readonly entries: readonly NewEntry[]
}

/**
 * Returns the work on a record after a change; undefined if nothing changes. A resolved finding keeps its status.
 *
 * @param state state of a finding; undefined for a detection
 */
export function changedWork(
  state: Finding['state'] | undefined,
  before: WorkState,
  change: NamedChange,
  nowSeconds: number,
): ChangedWork | undefined {
  const entries: NewEntry[] = []
  let work = before
  const { assigneeId, assigneeName, status, untilTimestamp = null, reason } = change
  if (assigneeId !== undefined && assigneeId !== before.assigneeId) {
    work = { ...work, assigneeId, assigneeName }
    entries.push({
      kind: 'ASSIGNEE',
      from: before.assigneeName,
      to: assigneeName,
      untilTimestamp: null,
      text: null,
    })
  }
  const from = pauseOf(before, nowSeconds) ?? 'TO_DO'
  const isSame = status === 'TO_DO' && from === 'TO_DO'
  if (status !== undefined && state === 'OPEN' && !isSame) {
    const isPause = status !== 'TO_DO'
    work = { ...work, status: isPause ? status : null, untilTimestamp: isPause ? untilTimestamp : null }
    entries.push({ kind: 'STATUS', from, to: status, untilTimestamp, text: reason?.trim() || null })
  }
  return entries.length > 0 ? { work, entries } : undefined
}

/**
 * Returns a history, newest first, with an entry for each status that has ended by itself.
 *
 * @param entries the stored entries, oldest first
 */
export function historyOf(entries: readonly WorkEntry[], nowSeconds: number): WorkEntry[] {
  const history: WorkEntry[] = []
  let pause: (WorkEntry & { untilTimestamp: number }) | undefined
  const endPause = (before: number) => {
    if (!pause || pause.untilTimestamp > before) return
    const { to, untilTimestamp: timestamp } = pause
    history.push({
      kind: 'STATUS',
      timestamp,
      author: null,
      from: to,
      to: 'TO_DO',
      untilTimestamp: null,
      text: null,
    })
    pause = undefined
  }
  for (const entry of entries) {
    endPause(entry.timestamp)
    history.push(entry)
    if (entry.kind !== 'STATUS' && entry.kind !== 'STATE') continue
    const { untilTimestamp } = entry
    pause = untilTimestamp === null ? undefined : { ...entry, untilTimestamp }
  }
  endPause(nowSeconds)
  return history.reverse()
}
