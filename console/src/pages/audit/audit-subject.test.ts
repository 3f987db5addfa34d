import type { AuditEvent } from '@muster/contract/console/console-audit'
import { expect, test } from 'vitest'
import { auditSubject } from './audit-subject.ts'

const subjectOf = (record: object) => auditSubject({ new: record as AuditEvent['new'] })

test('summarizes the subject and changes of an audit event', () => {
  expect(subjectOf({ employeeId: '1', employeeEmail: 'ada@example.com', group: 'Engineers' })).toBe(
    'ada@example.com · Engineers',
  )
  const changes = [{ name: 'approvalStatus', old: 'UNDER_REVIEW', new: 'APPROVED' }]
  expect(subjectOf({ appId: '1', appType: 'ZAPIER', changes })).toBe(
    'Zapier · Approval status: Under review → Approved',
  )
  expect(subjectOf({ count: 1200, urls: ['bad.example', '*.evil.example'] })).toBe(
    'bad.example · *.evil.example · 1,200',
  )
  expect(
    subjectOf({ setting: 'controls', changes: [{ name: 'contact', old: null, new: 'it@example.com' }] }),
  ).toBe('controls · Contact: none → it@example.com')
  const typed = [
    { name: 'licensed', old: false, new: true },
    { name: 'groups', old: [], new: ['Berlin', 'Sales'] },
  ]
  expect(subjectOf({ employeeEmail: 'ada@example.com', changes: typed })).toBe(
    'ada@example.com · Licensed: No → Yes · Groups: none → Berlin, Sales',
  )
})
