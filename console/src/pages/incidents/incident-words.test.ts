import type { IncidentEntry } from '@muster/contract/console/incidents/console-incidents'
import { expect, test } from 'vitest'
import { assigneeText, incidentEntryText } from './incident-words.ts'

const text = (entry: Partial<IncidentEntry>) =>
  incidentEntryText({
    kind: 'NOTE',
    timestamp: 1,
    id: null,
    type: null,
    severity: null,
    state: null,
    response: null,
    employeeId: null,
    employeeName: null,
    author: 'Ada',
    to: null,
    text: null,
    detections: 1,
    ...entry,
  })

test('each entry of a timeline has a sentence', () => {
  expect(text({ kind: 'DETECTION', type: 'MALWARE_DELIVERY' })).toBe('Malware delivery')
  expect(text({ kind: 'FINDING', type: 'WEAK_PASSWORD' })).toBe('New finding: weak password')
  expect(text({ kind: 'ASSIGNEE', to: 'Bob', detections: 3 })).toBe('Ada assigned 3 detections to Bob')
  expect(text({ kind: 'ASSIGNEE' })).toBe('Ada removed the assignee of 1 detection')
  expect(text({ kind: 'NOTE', detections: 2 })).toBe('Ada added a note to 2 detections')
})

test('several assignees are a number', () => {
  const work = { title: '', assigneeId: null, assigneeName: null }
  expect(assigneeText({ ...work, assignees: 0 })).toBeNull()
  expect(assigneeText({ ...work, assignees: 1, assigneeName: 'Ada' })).toBe('Ada')
  expect(assigneeText({ ...work, assignees: 2 })).toBe('2 administrators')
})
