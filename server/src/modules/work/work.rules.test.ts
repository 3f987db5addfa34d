import { pauseStatuses, type WorkEntry } from '@muster/contract/console/work/work-fields'
import { expect, test } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { changedWork, changeMistakes, historyOf, noWork, workStatusOf } from './work.rules.ts'

const now = 1000

test('a snoozed finding is to do again once the time has passed, without a change', () => {
  const work = { ...noWork, status: 'SNOOZED', untilTimestamp: now } as const
  expect(workStatusOf('OPEN', work, now - 1)).toBe('SNOOZED')
  expect(workStatusOf('OPEN', work, now)).toBe('TO_DO')
  expect(workStatusOf('RESOLVED', work, now - 1)).toBe('RESOLVED')
})

test('mistakes of a change say what would be right', () => {
  const messages = (
    change: Parameters<typeof changeMistakes>[1],
    list: 'findings' | 'detections' = 'findings',
  ) => changeMistakes(list, change, now).map(({ name, message }) => `${name} ${message}`)
  expect(messages({ assigneeId: null })).toEqual([])
  expect(messages({ status: 'SNOOZED', untilTimestamp: now + 1 })).toEqual([])
  expect(messages({ status: 'RISK_ACCEPTED', untilTimestamp: now, reason: ' ' })).toEqual([
    'change.untilTimestamp must be in the future, at most three years from now',
    'change.reason is required: why the risk is accepted',
  ])
  expect(messages({ status: 'TO_DO', untilTimestamp: now + 1 })).toEqual([
    'change.untilTimestamp must not be given without the status SNOOZED or RISK_ACCEPTED',
  ])
  expect(messages({ status: 'SNOOZED' }, 'detections')).toEqual([
    'change.status must not be given: a detection is archived instead',
    'change.untilTimestamp is required: the time when the status ends',
  ])
})

test('a change that changes nothing has no entry, and a resolved finding keeps its status', () => {
  const change = { assigneeName: null, status: 'TO_DO' } as const
  expect(changedWork('OPEN', noWork, change, now)).toBeUndefined()
  const snooze = { assigneeName: null, status: 'SNOOZED', untilTimestamp: now + 1 } as const
  expect(changedWork('RESOLVED', noWork, snooze, now)).toBeUndefined()
  expect(changedWork('OPEN', noWork, snooze, now)).toMatchObject({
    work: { status: 'SNOOZED', untilTimestamp: now + 1 },
    entries: [{ kind: 'STATUS', from: 'TO_DO', to: 'SNOOZED' }],
  })
})

const entry = (kind: WorkEntry['kind'], timestamp: number, more: Partial<WorkEntry> = {}): WorkEntry => ({
  kind,
  timestamp,
  author: 'Ada',
  from: null,
  to: null,
  untilTimestamp: null,
  text: null,
  ...more,
})

test('the history shows when a status ended by itself, but not one that was changed before', () => {
  const snoozed = entry('STATUS', 1, { from: 'TO_DO', to: 'SNOOZED', untilTimestamp: 5 })
  const ended = { kind: 'STATUS', timestamp: 5, author: null, from: 'SNOOZED', to: 'TO_DO' }
  expect(historyOf([snoozed], 4)).toEqual([snoozed])
  expect(historyOf([snoozed, entry('NOTE', 9)], 10)).toMatchObject([{ kind: 'NOTE' }, ended, snoozed])
  const resolved = entry('STATE', 3, { author: null, from: 'OPEN', to: 'RESOLVED' })
  expect(historyOf([snoozed, resolved], 10)).toEqual([resolved, snoozed])
})

test('each status in a history starts with the one before it', () => {
  const pauses = fc.array(
    fc.record({
      after: fc.nat(10),
      status: fc.constantFrom('TO_DO' as const, ...pauseStatuses),
      lasts: fc.integer({ min: 1, max: 20 }),
    }),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(pauses, fc.nat(30), (steps, later) => {
      let at = 0
      let work: Parameters<typeof changedWork>[1] = noWork
      const entries: WorkEntry[] = []
      for (const { after, status, lasts } of steps) {
        at += after
        const until = status === 'TO_DO' ? {} : { untilTimestamp: at + lasts }
        const changed = changedWork('OPEN', work, { assigneeName: null, status, ...until }, at)
        work = changed?.work ?? work
        for (const one of changed?.entries ?? []) entries.push({ ...one, author: 'Ada', timestamp: at })
      }
      const history = historyOf(entries, at + later).reverse()
      const froms = history.map(({ from }) => from)
      const tos = history.map(({ to }) => to)
      expect(froms).toEqual(['TO_DO', ...tos].slice(0, froms.length))
      expect(tos.at(-1) ?? 'TO_DO').toBe(workStatusOf('OPEN', work, at + later))
      const times = history.map(({ timestamp }) => timestamp)
      expect(times).toEqual(times.toSorted((one, other) => one - other))
    }),
  )
})
