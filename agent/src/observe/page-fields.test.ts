import { expect, test, vi } from 'vitest'
import type { FieldKind } from './field-kind.ts'
import { identityNow, type PageField, submittedFields } from './page-fields.ts'

vi.mock('wxt/browser', async () => ({ browser: (await import('wxt/testing/fake-browser')).fakeBrowser }))

const login = {} as HTMLFormElement
const search = {} as HTMLFormElement
const field = (kind: FieldKind, form: HTMLFormElement | null): PageField => ({
  element: { form } as HTMLInputElement,
  kind,
  isVisible: true,
  form,
})
const query = field('OTHER', search)
const loose = field('OTHER', null)
const identity = field('IDENTITY', login)
const password = field('PASSWORD', login)
const loosePassword = field('PASSWORD', null)

test.each<[string, PageField[], PageField | null, HTMLFormElement | null, PageField[]]>([
  ['its form', [query, identity, password], null, login, [identity, password]],
  ['another form', [query, identity, password], null, search, [query]],
  ['Enter in a field of its form', [query, identity, password], identity, null, [identity, password]],
  ['Enter in a field of another form', [query, identity, password], query, null, [query]],
  ['Enter in a field outside any form', [loose, identity, password], loose, null, [loose]],
  [
    'a form next to fields outside any form',
    [query, loosePassword, password],
    null,
    search,
    [query, loosePassword],
  ],
  ['a button outside any form', [query, identity, password], null, null, [query, identity, password]],
  [
    'a button outside any form, like the fields',
    [query, loose, loosePassword],
    null,
    null,
    [loose, loosePassword],
  ],
])('the fields submitted with %s', (_, fields, of, form, expected) => {
  expect(submittedFields(fields, of?.element ?? null, form)).toEqual(expected)
})

test.each<[string, [FieldKind, string][], string | null]>([
  [
    'Ada Byron',
    [
      ['IDENTITY', 'text'],
      ['PASSWORD', 'password'],
    ],
    'Ada Byron',
  ],
  ['Ada Byron', [['IDENTITY', 'text']], null],
  [
    'Acme Works',
    [
      ['OTHER', 'text'],
      ['PASSWORD', 'password'],
    ],
    null,
  ],
  [
    'ACME\\ada',
    [
      ['IDENTITY', 'text'],
      ['PASSWORD', 'password'],
    ],
    'ACME\\ada',
  ],
])('“%s” in a form with %j gives the identity %s', (value, fields, name) => {
  const filled = fields.map(([kind, type]) => ({
    ...field(kind, login),
    element: { type, name: '', value: type === 'text' ? value : 'Secret-1' } as HTMLInputElement,
  }))
  expect(identityNow(filled)).toBe(name)
})
