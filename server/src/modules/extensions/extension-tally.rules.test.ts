import { expect, test } from 'vitest'
import { addInstallations, type ExtensionTally, groupOf } from './extension-tally.rules.ts'

const facts = (members: {
  hosts?: string[]
  updateUrl?: string | null
  mode?: string
  name?: string
  description?: string
}) =>
  JSON.stringify([
    '1.0',
    members.name ?? 'One',
    members.description ?? '',
    [],
    members.hosts ?? [],
    members.updateUrl ?? null,
    members.mode ?? 'MANUAL',
  ])

function grouped(...all: string[]) {
  const tally: ExtensionTally = new Map()
  const rows = all.map((text, at) => ({
    extensionId: 'x',
    employeeId: `e${at}`,
    facts: text,
    enabled: 1,
    seq: at,
  }))
  addInstallations(tally, rows)
  const [counted] = [...tally.values()]
  if (!counted) throw new Error('nothing was counted')
  return groupOf('x', counted, 0)
}

test.each([
  ['https://clients2.google.com/service/update2/crx', 'MANUAL', 'STORE'],
  ['https://edge.microsoft.com/extensionwebstorebase/v1/crx', 'MANAGED', 'STORE'],
  [null, 'MANUAL', 'STORE'],
  [null, 'SIDELOAD', 'ELSEWHERE'],
  [null, 'DEVELOPMENT', 'ELSEWHERE'],
  ['https://updates.example.com/crx', 'MANUAL', 'ELSEWHERE'],
  ['https://clients2.google.com.example.com/crx', 'MANUAL', 'ELSEWHERE'],
  ['no address', 'MANUAL', 'ELSEWHERE'],
])('updates from %s, installed %s: %s', (updateUrl, mode, source) => {
  expect(grouped(facts({ updateUrl, mode })).source).toBe(source)
})

test('reports both sources of an extension and its most frequent name', () => {
  const group = grouped(facts({ name: 'Odd', mode: 'SIDELOAD' }), facts({}), facts({}))
  expect(group).toMatchObject({ source: 'BOTH', name: 'One', deploymentModes: ['MANUAL', 'SIDELOAD'] })
})

test('counts equivalent patterns once, sorts the broadest first, and limits lists', () => {
  const many = Array.from({ length: 400 }, (_, at) => `https://site${at}.example.com/*`)
  const group = grouped(facts({ hosts: [...many, 'https://*/*', '<all_urls>'] }))
  expect(group).toMatchObject({ riskScore: 100, hostReach: 'EVERY_SITE', hostPermissionCount: 402 })
  expect(group.hostPermissions).toHaveLength(50)
  expect(group.hostPermissions.slice(0, 2)).toEqual(['<all_urls>', 'https://*/*'])
})

test('truncates long names and descriptions between characters', () => {
  const text = `x${'😀'.repeat(1100)}`
  const { name, description } = grouped(facts({ name: text, description: text }))
  expect([name, description].map((one) => one.isWellFormed())).toEqual([true, true])
  expect([...description]).toHaveLength(1024)
})
