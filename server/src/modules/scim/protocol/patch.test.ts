import { expect, test } from 'vitest'
import { fc } from '../../../../../test/support/fast-check.ts'
import { applyPatch } from './patch.rules.ts'
import { readPatch } from './patch-steps.rules.ts'
import { enterpriseUrn, userType } from './resource-types.rules.ts'
import { readResource } from './resource-values.rules.ts'
import type { Values } from './scim-schema.rules.ts'

const word = fc.constantFrom('a', 'B', 'ab', 'x@y.example', 'work')
const email = fc.record(
  { value: word, type: fc.constantFrom('work', 'home', 'Work'), primary: fc.boolean() },
  { requiredKeys: ['value'] },
)
const attributes = fc.record(
  {
    title: word,
    nickName: word,
    active: fc.constantFrom(true, false, 'True', 'False'),
    name: fc.record({ givenName: word, familyName: fc.constantFrom('a', null) }, { requiredKeys: [] }),
    emails: fc.array(email, { maxLength: 1 }),
    [enterpriseUrn]: fc.record({ department: word, manager: word }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
)
const path = fc.constantFrom(
  ...[
    'title',
    'NICKNAME',
    'name.givenName',
    'emails[type eq "work"].value',
    'emails[type eq "home"].display',
  ],
  ...[`${enterpriseUrn}:department`, `${enterpriseUrn}:manager`, 'phoneNumbers[type eq "mobile"].value'],
)

/** Operations whose repetition means the same. A replaced type or value can hide itself from its own filter. */
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'Add', 'Replace'), path, value: word }),
  fc.record({ op: fc.constantFrom('add', 'replace'), value: attributes }),
  fc.record({
    op: fc.constantFrom('add', 'replace'),
    path: fc.constant('emails'),
    value: fc.array(email, { maxLength: 1 }),
  }),
  fc.record({ op: fc.constant('Remove'), path }),
  fc.record({
    op: fc.constant('remove'),
    path: fc.constantFrom('emails', 'name', 'emails[value eq "a"]', enterpriseUrn),
  }),
)

const userUrn = userType.schema.id
const patchOf = (operations: readonly object[]) =>
  readPatch(userType, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations })
const resource = attributes.map(
  (values): Values => readResource(userType, { schemas: [userUrn], userName: 'a', ...values }),
)

test('a repeated operation changes nothing more', () => {
  fc.assert(
    fc.property(resource, operation, (before, one) => {
      const steps = patchOf([one])
      const once = applyPatch(userType, before, steps)
      expect(applyPatch(userType, once, steps)).toEqual(once)
    }),
    { numRuns: 2000 },
  )
})

test('several operations are the same as one request for each', () => {
  fc.assert(
    fc.property(resource, fc.array(operation, { minLength: 1, maxLength: 4 }), (before, operations) => {
      const atOnce = applyPatch(userType, before, patchOf(operations))
      const apart = operations.reduce<Values>(
        (values, one) => applyPatch(userType, values, patchOf([one])),
        before,
      )
      expect(atOnce).toEqual(apart)
    }),
  )
})

test('the result is a resource: read again it is the same, at most one value is primary, and the given one is unchanged', () => {
  fc.assert(
    fc.property(resource, fc.array(operation, { maxLength: 4 }), (before, operations) => {
      const copy = structuredClone(before)
      const after = operations.length === 0 ? before : applyPatch(userType, before, patchOf(operations))
      expect(before).toEqual(copy)
      expect(readResource(userType, { schemas: [userUrn], ...after })).toEqual(after)
      const emails = (after.emails ?? []) as Values[]
      expect(emails.filter(({ primary }) => primary === true).length).toBeLessThan(2)
    }),
  )
})

test('a value that a filter describes has the types of its attributes', () => {
  const steps = readPatch(userType, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'Replace', path: 'emails[primary eq "True"].value', value: 'x@y.example' }],
  })
  const { emails } = applyPatch(userType, { userName: 'a' }, steps)
  expect(emails).toEqual([{ value: 'x@y.example', primary: true }])
})
