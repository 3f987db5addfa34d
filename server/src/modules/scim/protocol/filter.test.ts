import { expect, test } from 'vitest'
import { fc } from '../../../../../test/support/fast-check.ts'
import { useHarness } from '../../../../../test/support/harness.ts'
import { enterpriseUrn, useDirectory } from '../../../../../test/support/scim-client.ts'
import { STORES } from '../../../../../test/support/stores.ts'
import { matchesFilter } from './filter-match.rules.ts'
import { parseFilter } from './filter-parse.rules.ts'
import { userType } from './resource-types.rules.ts'
import type { Values } from './scim-schema.rules.ts'

/** A filter as a tree, written and evaluated without the parser. */
type Tree =
  | { kind: 'and' | 'or'; parts: Tree[] }
  | { kind: 'not'; part: Tree }
  | { kind: 'one'; text: string; holds: (user: Values) => boolean }

const words = ['a', 'B', 'ab', 'Abc', 'c', 'b.a@x', 'not', 'x "y" \\z']
const word = fc.constantFrom(...words)

const testOf: Record<string, (own: string, given: string) => boolean> = {
  eq: (own, given) => own === given,
  ne: (own, given) => own !== given,
  co: (own, given) => own.includes(given),
  sw: (own, given) => own.startsWith(given),
  ew: (own, given) => own.endsWith(given),
  gt: (own, given) => own > given,
  ge: (own, given) => own >= given,
  lt: (own, given) => own < given,
  le: (own, given) => own <= given,
}
const operator = fc.constantFrom(...Object.keys(testOf))

type Email = { value: string; type: string }
const emailsOf = (user: Values) => (user.emails ?? []) as Email[]

/** Returns the values of a path, by a way of its own. */
const paths: Record<string, { exact?: true; of: (user: Values) => (string | undefined)[] }> = {
  userName: { of: (user) => [user.userName as string] },
  EXTERNALID: { exact: true, of: (user) => [user.externalId as string | undefined] },
  displayName: { of: (user) => [user.displayName as string | undefined] },
  title: { of: (user) => [user.title as string | undefined] },
  'name.givenName': { of: (user) => [(user.name as Values | undefined)?.givenName as string | undefined] },
  emails: { of: (user) => emailsOf(user).map(({ value }) => value) },
  'emails.type': { of: (user) => emailsOf(user).map(({ type }) => type) },
  [`${enterpriseUrn}:department`]: {
    of: (user) => [(user[enterpriseUrn] as Values | undefined)?.department as string | undefined],
  },
}

const compares = (
  own: readonly (string | undefined)[],
  op: string,
  given: string,
  exact = false,
): boolean => {
  const fold = (text: string) => (exact ? text : text.toLowerCase())
  const values = own.filter((one) => one !== undefined)
  if (values.length === 0) return op === 'ne'
  return values.some((one) => testOf[op]?.(fold(one), fold(given)) ?? false)
}

const leaf: fc.Arbitrary<Tree> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...Object.entries(paths)), operator, word)
    .map(([[path, { of, exact }], op, given]) => ({
      kind: 'one' as const,
      text: `${path} ${op} ${JSON.stringify(given)}`,
      holds: (user: Values) => compares(of(user), op, given, exact),
    })),
  fc.constantFrom(...Object.entries(paths)).map(([path, { of }]) => ({
    kind: 'one' as const,
    text: `${path} PR`,
    holds: (user: Values) => of(user).some((one) => one !== undefined),
  })),
  fc.tuple(word, operator, word).map(([type, op, given]) => ({
    kind: 'one' as const,
    text: `emails[type eq ${JSON.stringify(type)} and value ${op} ${JSON.stringify(given)}]`,
    holds: (user: Values) =>
      emailsOf(user).some((one) => compares([one.type], 'eq', type) && compares([one.value], op, given)),
  })),
  fc.tuple(word, word).map(([type, given]) => ({
    kind: 'one' as const,
    text: `emails[type eq ${JSON.stringify(type)}].value eq ${JSON.stringify(given)}`,
    holds: (user: Values) =>
      emailsOf(user).some((one) => compares([one.type], 'eq', type) && compares([one.value], 'eq', given)),
  })),
  fc.boolean().map((active) => ({
    kind: 'one' as const,
    text: `active eq ${active}`,
    holds: (user: Values) => user.active === active,
  })),
)

const tree = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
    }),
    tie('tree').map((part) => ({ kind: 'not' as const, part })),
  ),
})).tree

/** Writes a tree with as few parentheses as the precedence allows: not, and, or. */
const written = (one: Tree, inside: 'or' | 'and' | 'none' = 'none'): string => {
  if (one.kind === 'one') return one.text
  if (one.kind === 'not') return `not (${written(one.part)})`
  const text = one.parts.map((part) => written(part, one.kind)).join(` ${one.kind} `)
  const isLoose = inside === 'none' || (inside === 'or' && one.kind === 'and')
  return isLoose ? text : `(${text})`
}

const holds = (one: Tree, user: Values): boolean => {
  if (one.kind === 'one') return one.holds(user)
  if (one.kind === 'not') return !holds(one.part, user)
  return one.kind === 'and'
    ? one.parts.every((part) => holds(part, user))
    : one.parts.some((part) => holds(part, user))
}

const optional = fc.option(word, { nil: undefined })
const user: fc.Arbitrary<Values> = fc
  .record({
    userName: word,
    externalId: optional,
    displayName: optional,
    title: optional,
    givenName: optional,
    department: optional,
    active: fc.boolean(),
    emails: fc.array(fc.record({ value: word, type: word }), { maxLength: 2 }),
  })
  .map(({ givenName, department, emails, ...rest }) => ({
    ...rest,
    ...(givenName ? { name: { givenName } } : {}),
    ...(department ? { [enterpriseUrn]: { department } } : {}),
    ...(emails.length > 0 ? { emails } : {}),
  }))

test('a parsed filter holds for exactly the users for which a naive evaluation holds', () => {
  fc.assert(
    fc.property(tree, user, (filter, one) => {
      const text = written(filter)
      expect({ text, holds: matchesFilter(parseFilter(userType, text), one) }).toEqual({
        text,
        holds: holds(filter, one),
      })
    }),
    { numRuns: 2000 },
  )
})

test('a text that is not a filter is refused, never with another error', () => {
  const piece = fc.constantFrom(
    'userName',
    'eq',
    '"a"',
    '(',
    ')',
    '[',
    ']',
    'and',
    'not',
    '.value',
    'emails',
    ' ',
    '\\',
    '"',
    '1',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      try {
        parseFilter(userType, pieces.join(' '))
      } catch (error) {
        expect(error).toMatchObject({ status: 400, scimType: 'invalidFilter' })
      }
      expect(pieces.length).toBeLessThan(13)
    }),
  )
})

for (const store of STORES) {
  test(`${store}: SQL finds exactly the users for which a filter holds`, async () => {
    const stored: Values[] = []
    for (const [index, one] of fc.sample(user, { numRuns: 25, seed: 7 }).entries()) {
      const values = { ...one, userName: `${one.userName}${index}` }
      stored.push({ ...values, id: (await d.addUser(values)).id })
    }
    for (const filter of fc.sample(tree, { numRuns: 60, seed: 11 })) {
      const text = written(filter)
      const { body } = await d.filter('/Users', text)
      const expected = stored.filter((one) => holds(filter, one)).map(({ id }) => id)
      const found = body.Resources?.map(({ id }: { id: string }) => id).sort()
      expect({ text, found, total: body.totalResults }).toEqual({
        text,
        found: expected.sort(),
        total: expected.length,
      })
    }
  })
  const h = useHarness(store)
  const d = useDirectory(h)
}
