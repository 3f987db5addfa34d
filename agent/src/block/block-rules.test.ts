import { describe, expect, test } from 'vitest'
import { planBlocking, type RulePlan } from './block-rules.ts'
import { patternTable } from './pattern-samples.ts'

/** Limits of Chromium. */
const limits = { rules: 30_000, redirects: 5000, regexes: 1000 }
const plan = (
  patterns: readonly string[],
  overrides: Partial<typeof limits> = {},
  refused?: ReadonlySet<string>,
) =>
  planBlocking(
    patterns.map((url, index) => ({ id: `${index}`, url })),
    '/block.html',
    { ...limits, ...overrides },
    refused,
  )

type Condition = RulePlan['rules'][number]['condition']

/** Returns true if a rule's condition matches an address, following the API documentation. */
function meets({ requestDomains = [], regexFilter, urlFilter }: Condition, address: string): boolean {
  const url = URL.parse(address)
  if (!url) return false
  const host = url.hostname.replace(/\.$/, '')
  if (!requestDomains.some((domain: string) => host === domain || host.endsWith(`.${domain}`))) return false
  if (regexFilter !== undefined) return new RegExp(regexFilter).test(url.href)
  return urlFilter === undefined || filterRegex(urlFilter).test(url.href)
}

/** Converts an `urlFilter` with a leading `|` and `*`, the only syntax used here. */
function filterRegex(filter: string): RegExp {
  const anchored = filter.startsWith('|')
  const parts = (anchored ? filter.slice(1) : filter).split('*').map((part) => RegExp.escape(part))
  return new RegExp(`${anchored ? '^' : ''}${parts.join('.*')}`)
}

const blockedBy = ({ rules }: RulePlan, type: string, addresses: readonly string[]) =>
  addresses.filter((address) =>
    rules.some((rule) => rule.action.type === type && meets(rule.condition, address)),
  )

describe.each(patternTable)('the rules of %s', (pattern, blocked, open) => {
  test('block exactly the matching addresses, and redirect them to the block page', () => {
    const rules = plan([pattern])
    for (const type of ['block', 'redirect']) {
      expect(blockedBy(rules, type, blocked)).toEqual(blocked)
      expect(blockedBy(rules, type, open)).toEqual([])
    }
    expect(rules.unenforced).toEqual([])
  })

  test('block at least as much without regular expressions', () => {
    const rules = plan([pattern], { regexes: 0 })
    expect(blockedBy(rules, 'block', blocked)).toEqual(blocked)
    expect(rules.regexes).toEqual([])
  })
})

test('the combined rules of all patterns block every address that one of them matches', () => {
  const blocked = patternTable.flatMap(([, addresses]) => addresses)
  expect(blockedBy(plan(patternTable.map(([pattern]) => pattern)), 'block', blocked)).toEqual(blocked)
})

test('main frames are redirected to the block page with priority; all other requests are blocked', () => {
  const { rules } = plan(['*.example.com'])
  expect(rules.map(({ id, priority, action }) => ({ id, priority, action }))).toEqual([
    { id: 1, priority: 1, action: { type: 'block' } },
    { id: 2, priority: 2, action: { type: 'redirect', redirect: { extensionPath: '/block.html' } } },
  ])
  expect(rules[0]?.condition.resourceTypes).toContain('sub_frame')
  expect(rules[1]?.condition.resourceTypes).toEqual(['main_frame'])
})

describe('25,000 patterns', () => {
  const many = (make: (index: number) => string) => Array.from({ length: 25_000 }, (_, index) => make(index))

  test('of whole hosts need only a few rules', () => {
    const hosts = many((index) => (index % 2 ? `site-${index}.example` : `*.a.site-${index}.example`))
    const { rules, regexes, unenforced } = plan(hosts)
    expect(rules).toHaveLength(4)
    expect(regexes).toHaveLength(1)
    expect(unenforced).toEqual([])
  })

  test('with one path on many hosts need only a few rules', () => {
    expect(plan(many((index) => `site-${index}.example/login`)).rules).toHaveLength(2)
  })

  test('with different paths stay within the browser’s limits, and all are blocked', () => {
    const paths = many((index) => `example.com/page-${index}`)
    const { rules, regexes, unenforced } = plan(paths)
    expect(rules.length).toBeLessThanOrEqual(limits.rules)
    expect(regexes).toHaveLength(limits.regexes)
    expect(rules.filter(({ action }) => action.type === 'redirect').length).toBeLessThanOrEqual(
      limits.redirects,
    )
    expect(unenforced).toEqual([])
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
  })

  test('beyond the rule limit are returned as unenforced', () => {
    const { rules, unenforced } = plan(
      many((index) => `example.com/page-${index}`),
      { rules: 5000 },
    )
    expect(rules).toHaveLength(5000)
    expect(unenforced).toHaveLength(20_000)
  })
})

test('an unsupported regular expression is replaced by a filter', () => {
  const path = `example.com/${'x'.repeat(500)}`
  const [regex = ''] = plan([path]).regexes
  const { rules, regexes } = plan([path], {}, new Set([regex]))
  expect(regexes).toEqual([])
  expect(rules[0]?.condition.urlFilter).toBe(`/${'x'.repeat(500)}*`)
})

test('no patterns yield no rules, and invalid patterns are ignored', () => {
  expect(plan([]).rules).toEqual([])
  expect(plan(['*', 'not a pattern']).rules).toEqual([])
})
