import { expect, test } from 'vitest'
import { actorAddress, actorText } from './actor-text.ts'

const connection = { sourceIpAddress: '203.0.113.7', userAgent: null }

test('names every kind of actor', () => {
  const actors = [
    { source: 'UI', email: 'ada@example.com', role: 'OWNER', ...connection },
    { source: 'API', apiKeyName: 'siem', apiKeyCreatedBy: 'ada@example.com', ...connection },
    { source: 'EMPLOYEE', id: '1', email: 'grace@example.com', ...connection },
    { source: 'CLI', user: 'muster' },
    null,
  ] as const
  expect(actors.map(actorText)).toEqual([
    'ada@example.com',
    'API key “siem” (ada@example.com)',
    'grace@example.com (employee)',
    'muster (command line)',
    'Muster',
  ])
  expect(actors.map(actorAddress)).toEqual([
    '203.0.113.7',
    '203.0.113.7',
    '203.0.113.7',
    undefined,
    undefined,
  ])
})
