import { Compile } from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import { contractViolations, schemaRules, walk } from '../../../test/guards/contract-rules.ts'
import type { JsonSchema } from '../api/json-schema.ts'
import type { Account } from '../records/account.ts'
import { detectionTypes } from '../records/detection.ts'
import { Employee } from '../records/employee.ts'
import { composeEvent } from './event-compose.ts'
import { eventCategories } from './event-envelope.ts'
import {
  type EventObject,
  eventDeclarationOf,
  eventObjects,
  eventRecordOf,
  eventSchemaOf,
  exampleEventOf,
  isEventObject,
} from './event-objects.ts'

/** The objects by category, word for word as the events contract lists them in section 3. */
const documented = {
  ENTITY: 'ACCOUNT ACCOUNT_OTHER APP APP_OTHER BROWSER BROWSER_EXTENSION EMPLOYEE FINDING',
  ACTIVITY: 'LOGIN',
  CONTROL: `BLOCKED_URL_VISITED CLONED_LOGIN_PAGE_DETECTED PHISHING_TOOL_DETECTED PROTECTED_PASSWORD_ENTERED
    STOLEN_CREDENTIALS_DETECTED MALICIOUS_COPY_PASTE_DETECTED MALICIOUS_BROWSER_EXTENSION_DETECTED APP_BANNER`,
  DETECTION: detectionTypes.join(' '),
  AUDIT: `API_KEY_ADDED API_KEY_REMOVED API_KEY_EXPIRED WEBHOOK_ADDED WEBHOOK_UPDATED WEBHOOK_REMOVED
    BLOCKED_URLS_ADDED BLOCKED_URLS_REMOVED STOLEN_CREDENTIALS_ADDED STOLEN_CREDENTIALS_REMOVED APP_UPDATED
    APP_LABELS_ADDED APP_LABELS_REMOVED ACCOUNT_FORGOTTEN ACCOUNT_LOGIN_METHOD_REMOVED DETECTION_UPDATED
    EMPLOYEE_ADDED EMPLOYEE_UPDATED EMPLOYEE_EMAIL_UPDATED LICENSE_ASSIGNED LICENSE_REMOVED EMPLOYEE_ADDED_TO_GROUP
    EMPLOYEE_REMOVED_FROM_GROUP EMPLOYEES_MERGED EMPLOYEE_UNMERGED ENROLLMENT_LINK_CREATED ADMIN_SIGNED_IN
    ADMIN_SIGN_IN_FAILED ADMIN_ADDED ADMIN_REMOVED SETTING_UPDATED DATA_EXPORTED`,
} as const

/** The keys of an event of a category, in their order (events contract, section 2). */
const keysOf = {
  ENTITY: 'version id timestamp object friendlyName category description type new old',
  DETECTION: 'version id timestamp object friendlyName category description type new old',
  ACTIVITY: 'version id timestamp object friendlyName category description new',
  CONTROL: 'version id timestamp object friendlyName category description new',
  AUDIT: 'version id timestamp object friendlyName category description actor new',
} as const

const isValid = (object: EventObject, event: unknown) => Compile(eventSchemaOf(object)).Check(event)

/** The schemas of the event as it may be: one, or one for each change of its record. */
const formsOf = (object: EventObject): readonly JsonSchema[] => {
  const schema = eventSchemaOf(object) as JsonSchema
  return schema.anyOf ?? [schema]
}

test.each(eventCategories)('the objects of %s are those of the contract, in its order', (category) => {
  const declared = eventObjects.filter((object) => eventDeclarationOf(object).category === category)
  expect(declared).toEqual(documented[category].split(/\s+/))
})

describe.each(eventObjects)('%s', (object) => {
  const declaration = eventDeclarationOf(object)

  test('is declared under its name and has a display name', () => {
    expect(declaration.object).toBe(object)
    expect(declaration.friendlyName).toMatch(/^[A-Z]/)
    expect(eventRecordOf(object)).toBe(declaration.record)
  })

  test('has a schema with the keys of its category in order', () => {
    const orders = formsOf(object).map(({ properties }) => Object.keys(properties ?? {}).join(' '))
    expect(new Set(orders)).toEqual(new Set([keysOf[declaration.category]]))
  })

  test('has a description sentence', () => {
    const sentences = Object.values(declaration.descriptions)
    expect(sentences).toHaveLength(formsOf(object).length)
    expect(sentences.filter((sentence) => !/^[A-Z].+\.$/.test(sentence))).toEqual([])
  })

  test('has an example that matches its schema, with keys in order', () => {
    const example = exampleEventOf(object)
    expect(isValid(object, example)).toBe(true)
    expect(Object.keys(example).join(' ')).toBe(keysOf[declaration.category])
  })

  test('rejects undeclared members', () => {
    expect(isValid(object, { ...exampleEventOf(object), further: 1 })).toBe(false)
    expect(isValid(object, { ...exampleEventOf(object), object: 'OTHER' })).toBe(false)
  })
})

/** Values of changes may be any JSON value: `auditedChanges` bounds them, and its test shows that. */
const isChangedValue = /\.changes\[\]\.(?:old|new)$/

describe.each(schemaRules)('$guarantee', (rule) => {
  test('in every event', () => {
    // Literals are bounded by definition; values of changes are bounded when they are created.
    const parts = eventObjects
      .flatMap((object) => walk(object, { schema: eventSchemaOf(object) as JsonSchema, in: 'response' }))
      .filter(({ part, place }) => !('const' in part.schema || isChangedValue.test(place)))
    expect(parts.length).toBeGreaterThan(1000)
    expect(contractViolations(rule, parts)).toEqual([])
  })
})

test('every example in an event matches its schema', () => {
  const wrong = eventObjects
    .flatMap((object) => walk(object, { schema: eventSchemaOf(object) as JsonSchema, in: 'response' }))
    .filter(
      ({ part }) => !(part.schema.examples ?? []).every((it) => Compile(part.schema as object).Check(it)),
    )
  expect(wrong.map(({ place }) => place)).toEqual([])
})

describe('a change of a record', () => {
  const record = exampleEventOf('ACCOUNT').new
  const change = (type: string, next: unknown, old: unknown) => ({
    ...exampleEventOf('ACCOUNT'),
    type,
    new: next,
    old,
  })

  test.each([
    ['CREATE', record, null, true],
    ['UPDATE', record, record, true],
    ['DELETE', null, record, true],
    ['CREATE', record, record, false],
    ['UPDATE', record, null, false],
    ['DELETE', record, null, false],
    ['DELETE', null, null, false],
    ['REPLACE', record, record, false],
  ])('%s allows exactly its records', (type, next, old, valid) => {
    expect(isValid('ACCOUNT', change(type, next, old))).toBe(valid)
  })

  test('contains the complete `/v1` record', () => {
    expect(eventRecordOf('EMPLOYEE')).toBe(Employee)
    const { passwordId: _, ...partial } = record as Account
    expect(isValid('ACCOUNT', change('CREATE', partial, null))).toBe(false)
  })
})

describe('the actor', () => {
  const audit = (actor: unknown) => ({ ...exampleEventOf('EMPLOYEE_ADDED'), actor })
  const connection = { sourceIpAddress: '203.0.113.7', userAgent: null }

  test.each([
    ['an administrator', { source: 'UI', email: 'a@example.com', ...connection, role: 'READ_ONLY' }],
    ['a program', { source: 'API', apiKeyName: 'siem', apiKeyCreatedBy: 'a@example.com', ...connection }],
    ['an employee', { source: 'EMPLOYEE', id: 'e1', email: 'a@example.com', ...connection }],
    ['somebody who has not signed in', { source: 'UI', email: null, ...connection }],
    ['somebody at the command line', { source: 'CLI', user: 'root' }],
    ['nobody', null],
  ])('may be %s', (_, actor) => {
    expect(isValid('EMPLOYEE_ADDED', audit(actor))).toBe(true)
  })

  test.each([
    ['without a source', { email: 'a@example.com', ...connection }],
    ['with a role that is none', { source: 'UI', email: 'a@example.com', ...connection, role: 'ROOT' }],
    ['with members of another source', { source: 'CLI', user: 'root', email: 'a@example.com' }],
  ])('cannot be one %s', (_, actor) => {
    expect(isValid('EMPLOYEE_ADDED', audit(actor))).toBe(false)
  })
})

describe('a composed event', () => {
  test.each(eventObjects)(
    'of %s has its keys in their order, whatever order they were given in',
    (object) => {
      const {
        version: _v,
        object: _o,
        friendlyName: _f,
        category: _c,
        description,
        ...facts
      } = exampleEventOf(object)
      const reversed = Object.fromEntries(Object.entries(facts).reverse())
      const composed = composeEvent(object, reversed as never)
      expect(JSON.stringify({ ...composed, description })).toBe(JSON.stringify(exampleEventOf(object)))
    },
  )

  test('uses the given phrases in its description', () => {
    const { description: _description, ...facts } = exampleEventOf('SETTING_UPDATED')
    const event = composeEvent('SETTING_UPDATED', {
      ...facts,
      what: 'A person was erased',
      note: 'For good.',
    })
    expect(event.description).toBe('A person was erased by ada.byron@example.com. For good.')
    expect(isValid('SETTING_UPDATED', event)).toBe(true)
  })
})

test.each(['constructor', 'account', '', 'OTHER'])('%j is not an event object', (name) => {
  expect(isEventObject(name)).toBe(false)
})
