import { expect, test } from 'vitest'
import { conditionsText, linesOf, ruleState, scheduleText } from './alert-words.ts'

const all = {
  triggers: ['DETECTION', 'FINDING', 'SILENT_AGENT', 'NEW_APP'],
  detectionTypes: [],
  minSeverity: 'LOW',
  findingTypes: [],
  minPriority: 'P4',
  groups: [],
  silentDays: 7,
} satisfies Parameters<typeof conditionsText>[0]

test('conditions are named only where they restrict', () => {
  expect(conditionsText(all)).toBe('Detections, Findings, Silent agents (7 days), New apps')
  expect(
    conditionsText({
      ...all,
      triggers: ['DETECTION', 'FINDING'],
      detectionTypes: ['PHISHING'],
      minSeverity: 'HIGH',
      minPriority: 'P2',
      groups: ['Finance', 'Board'],
    }),
  ).toBe('Detections (Phishing; High or higher), Findings (P1 to P2) of Finance, Board')
})

test('a schedule names day, hour and time zone', () => {
  const at = { hour: 9, weekday: 5 }
  expect(scheduleText({ ...at, schedule: 'IMMEDIATE' }, 'UTC')).toBe('Immediately')
  expect(scheduleText({ ...at, schedule: 'DAILY' }, 'UTC')).toBe('Every day at 09:00 (UTC)')
  expect(scheduleText({ ...at, schedule: 'WEEKLY' }, 'Europe/Berlin')).toBe(
    'Every Friday at 09:00 (Europe/Berlin)',
  )
})

test('a rule whose messages do not arrive stands out', () => {
  expect(ruleState({ enabled: true, undelivered: 2 })).toEqual({ text: '2 not delivered', tone: 'high' })
  expect(ruleState({ enabled: false, undelivered: 2 }).text).toBe('Disabled')
})

test('lines and commas separate entries, each counts once', () => {
  expect(linesOf('a@example.com, b@example.com\n\na@example.com ')).toEqual([
    'a@example.com',
    'b@example.com',
  ])
})
