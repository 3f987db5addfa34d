import { type AgentEvent, agentEvents, eventsPerBatchMaximum } from '@muster/contract/agent/agent-event'
import type { AgentPolicy } from '@muster/contract/agent/agent-policy'
import { createCatalog } from '@muster/contract/catalog/catalog'
import { products } from '@muster/contract/catalog/products'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import { sampleExtensions } from './extension-samples.ts'
import { inBatches, simulatedWorkforce, type WorkforceOptions } from './workforce.ts'

const catalog = createCatalog(products)
const startSeconds = Date.UTC(2026, 5, 1) / 1000
const bad = sampleExtensions[0]?.extensionId ?? ''

const policy: AgentPolicy = {
  version: '1-0',
  heartbeatSeconds: 300,
  organizationName: 'Northgate',
  contact: null,
  blockedUrls: [
    { id: '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90', url: '*.bad-ads.example' },
    { id: '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e91', url: 'https://pastes.example/raw/*' },
  ],
  protectedPasswords: { mode: 'WARN', byApp: { OKTA: 'BLOCK' } },
  protectedAppTypes: ['OKTA'],
  clonedLoginPages: { mode: 'MONITOR', byApp: {} },
  phishingTools: { mode: 'BLOCK', byApp: {} },
  maliciousCopyPaste: { mode: 'WARN', byApp: {} },
  banners: [
    {
      id: 'genai',
      appType: 'CHATGPT',
      domain: null,
      mode: 'ACKNOWLEDGE',
      title: 'Mind the data',
      subtext: '',
      buttonText: null,
    },
  ],
  blockedExtensionIds: [],
  badExtensions: [{ extensionId: bad, risk: 'HIGH' }],
  restrictedWords: [],
  leakedLookup: true,
  stolenCredentials: [],
  workIdentities: [],
  products: [],
}

const options = (seed: number, more: Partial<WorkforceOptions> = {}): WorkforceOptions => ({
  seed,
  people: 60,
  catalog,
  startSeconds,
  days: 90,
  heartbeatMinutes: null,
  visitsPerDay: 3,
  onlyEventful: true,
  rollout: true,
  ...more,
})

const simulated = (chosen: WorkforceOptions, sentPolicy: AgentPolicy = policy) =>
  simulatedWorkforce(chosen).browsers.map((browser) => ({
    browser,
    events: Array.from({ length: chosen.days }, (_, day) => browser.eventsOn(day, sentPolicy)).flat(),
  }))

const eventsOf = (chosen: WorkforceOptions, sentPolicy?: AgentPolicy): AgentEvent[] =>
  simulated(chosen, sentPolicy).flatMap(({ events }) => events)

const ofKind = <K extends AgentEvent['kind']>(events: readonly AgentEvent[], kind: K) =>
  events.filter((event): event is Extract<AgentEvent, { kind: K }> => event.kind === kind)

const share = <T>(items: readonly T[], test: (item: T) => boolean): number =>
  items.filter(test).length / items.length

describe('a simulated workforce', () => {
  test('has only browsers that have an agent', () => {
    const { browsers } = simulatedWorkforce(options(3, { people: 400, days: 1 }))
    const kinds = new Set(browsers.map((browser) => browser.factsOn(0).browser))
    expect([...kinds].sort()).toEqual(['ARC', 'BRAVE', 'CHROME', 'EDGE', 'FIREFOX', 'OPERA'])
  })

  test('has the same events for the same seed, and others for another', () => {
    const text = (seed: number) => JSON.stringify(eventsOf(options(seed, { people: 12 })))
    expect(text(5)).toBe(text(5))
    expect(text(6)).not.toBe(text(5))
  })

  test('reports valid events of every kind with unique IDs', () => {
    const validators = Object.fromEntries(
      Object.entries<TSchema>(agentEvents).map(([kind, schema]) => [kind, Compile(schema)]),
    )
    const events = eventsOf(options(1, { people: 250, heartbeatMinutes: 120 }))
    expect(events.filter((event) => !validators[event.kind]?.Check(event))).toEqual([])
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(Object.keys(agentEvents)))
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  })

  test('reports events in order, within the days of the browser', () => {
    for (const { browser, events } of simulated(options(2))) {
      const times = events.map(({ timestamp }) => timestamp)
      expect(times).toEqual(times.toSorted((one, other) => one - other))
      const days = events.map(({ timestamp }) => Math.floor((timestamp - startSeconds) / 86_400))
      expect(Math.min(...days)).toBe(browser.fromDay)
      expect(Math.max(...days)).toBeLessThanOrEqual(browser.untilDay)
    }
  })

  test('signs in by every method, mostly without a password, and with some bad passwords', () => {
    const logins = ofKind(eventsOf(options(3, { people: 200 })), 'LOGIN')
    expect(new Set(logins.map(({ loginType }) => loginType)).size).toBe(6)
    const byPassword = logins.flatMap(({ password }) => password ?? [])
    expect(byPassword.length / logins.length).toBeGreaterThan(0.3)
    expect(byPassword.length / logins.length).toBeLessThan(0.75)
    expect(share(byPassword, ({ weakReasons }) => weakReasons.length > 0)).toBeLessThan(0.25)
    expect(share(byPassword, ({ leaked }) => leaked === true)).toBeLessThan(0.15)
    expect(share(byPassword, ({ manuallyTyped }) => manuallyTyped === true)).toBeLessThan(0.5)
    expect(new Set(byPassword.flatMap(({ weakReasons }) => weakReasons)).size).toBe(3)
    const shared = Map.groupBy(
      simulated(options(3, { people: 200 })).flatMap(({ browser, events }) =>
        ofKind(events, 'LOGIN').map(({ email }) => ({ email, person: browser.person.email })),
      ),
      ({ email }) => email,
    )
    const users = [...shared.values()].map((uses) => new Set(uses.map(({ person }) => person)).size)
    expect(Math.max(...users)).toBeGreaterThan(1)
  })

  test('follows its policy', () => {
    const off = { mode: 'OFF', byApp: {} } as const
    const quiet = { ...policy, protectedPasswords: off, clonedLoginPages: off, phishingTools: off }
    const people = { people: 400 }
    const threats = ofKind(eventsOf(options(4, people), { ...quiet, maliciousCopyPaste: off }), 'PAGE_THREAT')
    expect(threats).toEqual([])
    const seen = ofKind(eventsOf(options(4, people)), 'PAGE_THREAT')
    expect(new Set(seen.map(({ threat }) => threat)).size).toBe(4)
    const blocked = seen.filter(({ mode }) => mode === 'BLOCK')
    expect(blocked.length).toBeGreaterThan(0)
    expect(
      blocked.filter(({ response, passwordEntered }) => response !== 'BLOCKED' || passwordEntered),
    ).toEqual([])
    const stolen = { id: '6f1d9c1e-0b6f-4c39-9b55-3f6f2f0f8a11', salt: '', iterations: 1, hash: '' }
    const matched = ofKind(eventsOf(options(4), { ...policy, stolenCredentials: [stolen] }), 'LOGIN')
    expect(matched.flatMap(({ password }) => password?.stolenIds ?? [])).toContain(stolen.id)
    expect(
      ofKind(eventsOf(options(4)), 'LOGIN').flatMap(({ password }) => password?.stolenIds ?? []),
    ).toEqual([])
  })

  test('has full working days from the first day without rollout', () => {
    const complete = { heartbeatMinutes: 5, onlyEventful: false, rollout: false }
    const days = simulated(options(5, { people: 10, days: 14, ...complete }))
    const beats = days.flatMap(({ browser, events }) =>
      ofKind(events, 'HEARTBEAT').map(({ timestamp }) => `${browser.seed} ${Math.floor(timestamp / 86_400)}`),
    )
    const perDay = [...Map.groupBy(beats, (day) => day).values()].map(({ length }) => length)
    expect(perDay.length).toBeGreaterThan(4 * days.length)
    expect(new Set(perDay)).toEqual(new Set([96]))
  })
})

test('ends batches after a gap and when full', () => {
  const events = eventsOf(options(7, { people: 30, heartbeatMinutes: 5, days: 3, onlyEventful: false }))
  const batches = inBatches(events, 600, 40)
  expect(batches.flat()).toEqual(events)
  expect(Math.max(...batches.map(({ length }) => length))).toBe(40)
  const complete = inBatches(events.slice(0, 90), Number.POSITIVE_INFINITY, eventsPerBatchMaximum)
  expect(complete).toHaveLength(1)
})
