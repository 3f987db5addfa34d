import type { Banner, Controls } from '@muster/contract/records/controls'
import { describe, expect, test } from 'vitest'
import { type BannerApp, bannersFor, protectionFor } from './policy.rules.ts'

const ada = { id: 'ada', groups: ['Engineers', 'Leads'] }
const bob = { id: 'bob', groups: [] }

describe('a protection', () => {
  const rules: Controls['phishingTools']['rules'] = [
    { employeeIds: ['bob'], mode: 'OFF' },
    { groups: ['Leads'], appTypes: ['OKTA'], mode: 'BLOCK' },
    { groups: ['Engineers'], appTypes: ['OKTA', 'GITHUB'], mode: 'WARN' },
    { groups: ['Engineers'], mode: 'OFF' },
    { appTypes: ['SLACK'], mode: 'BLOCK' },
  ]

  test.each([
    ['nobody is named', [], ada, { mode: 'MONITOR', byApp: {} }],
    ['an employee is named', rules, bob, { mode: 'OFF', byApp: {} }],
    ['groups and apps are named', rules, ada, { mode: 'OFF', byApp: { OKTA: 'BLOCK', GITHUB: 'WARN' } }],
    [
      'nothing fits the employee',
      rules.slice(0, 4),
      { id: 'eve', groups: [] },
      { mode: 'MONITOR', byApp: {} },
    ],
    [
      'only an app is named',
      rules,
      { id: 'eve', groups: ['engineers'] },
      { mode: 'MONITOR', byApp: { SLACK: 'BLOCK' } },
    ],
    [
      'both employee and group must fit',
      [{ employeeIds: ['ada'], groups: ['Sales'], mode: 'BLOCK' as const }],
      ada,
      { mode: 'MONITOR', byApp: {} },
    ],
    [
      'lists are empty, which names nothing',
      [{ employeeIds: [], groups: [], appTypes: [], mode: 'WARN' as const }],
      bob,
      { mode: 'WARN', byApp: {} },
    ],
    [
      'an app has the usual mode',
      [{ appTypes: ['OKTA'], mode: 'MONITOR' as const }],
      ada,
      { mode: 'MONITOR', byApp: {} },
    ],
  ])('applies the first matching rule: %s', (_, own, employee, expected) => {
    expect(protectionFor({ mode: 'MONITOR', rules: [...own] }, employee)).toEqual(expected)
  })
})

describe('banners', () => {
  const banner = (id: string, members: Partial<Banner> = {}): Banner => ({
    id,
    mode: 'INFORM',
    title: id,
    subtext: '',
    buttonText: null,
    ...members,
  })
  const app = (type: string, members: Partial<BannerApp> = {}): BannerApp => ({
    type,
    approvalStatus: null,
    sensitivityLevel: null,
    labels: [],
    ...members,
  })
  const apps = [
    app('CHATGPT', { labels: ['genai', 'Text'] }),
    app('DROPBOX', { approvalStatus: 'NOT_APPROVED', sensitivityLevel: 'HIGH' }),
    app('ZAPIER', { approvalStatus: 'APPROVED' }),
  ]
  const facts = { apps, otherDomains: ['example.net'] }
  const shown = (banners: Banner[], employee = ada) =>
    bannersFor(banners, facts, employee).map(
      ({ id, appType, domain }) => `${appType ?? domain ?? '*'}: ${id}`,
    )

  test.each([
    ['an app', [banner('a', { appTypes: ['ZAPIER'] })], ['ZAPIER: a']],
    ['an approval status', [banner('a', { approvalStatuses: ['NOT_APPROVED'] })], ['DROPBOX: a']],
    ['a sensitivity level', [banner('a', { sensitivityLevels: ['HIGH', 'LOW'] })], ['DROPBOX: a']],
    ['a label, without case', [banner('a', { labels: ['GenAI'] })], ['CHATGPT: a']],
    ['all that is named', [banner('a', { labels: ['GenAI'], sensitivityLevels: ['HIGH'] })], []],
    ['nothing named', [banner('a')], ['CHATGPT: a', 'DROPBOX: a', 'ZAPIER: a', 'example.net: a', '*: a']],
    [
      'the first of several',
      [banner('a', { appTypes: ['ZAPIER'] }), banner('b'), banner('c', { labels: ['GenAI'] })],
      ['CHATGPT: b', 'DROPBOX: b', 'ZAPIER: a', 'example.net: b', '*: b'],
    ],
    ['a group of the employee', [banner('a', { groups: ['Leads'], appTypes: ['ZAPIER'] })], ['ZAPIER: a']],
    ['the group of another', [banner('a', { groups: ['Sales'] })], []],
    ['another employee', [banner('a', { employeeIds: ['bob'] })], []],
  ])('match by %s', (_, banners, expected) => {
    expect(shown(banners)).toEqual(expected)
  })

  test('contain the texts to show', () => {
    const members = { mode: 'REASON', title: 'Why?', subtext: 'Say it.', buttonText: 'Go on' } as const
    const [first] = bannersFor([banner('a', { ...members, appTypes: ['ZAPIER'] })], facts, ada)
    expect(first).toEqual({ id: 'a', appType: 'ZAPIER', domain: null, ...members })
  })
})
