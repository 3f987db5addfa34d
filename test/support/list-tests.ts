import type { Collection, RecordOf } from '@muster/contract/api/collection'
import { hasType, type JsonSchema } from '@muster/contract/api/json-schema'
import { beforeEach, expect, test } from 'vitest'
import { expectAnswer, expectProblem, inQuery, page, recordsOf } from './answers.ts'
import { put } from './fixtures.ts'
import type { Caller, Harness } from './harness.ts'
import { describePaging } from './list-paging.ts'

/** Description of a list in the terms of the REST contract. */
export interface ListSpec<C extends Collection> {
  path: string
  collection: C
  make(members?: Partial<RecordOf<C>>): RecordOf<C>
  /** Members of a record, space-separated, in the order of the contract. */
  members: string
  /** Filters by equality, each with two values. */
  exact?: Readonly<Record<string, readonly [string, string]>>
  /** Filters by equality with a fixed set of values. */
  choices?: Readonly<Record<string, readonly string[]>>
  flags?: readonly string[]
  contains?: readonly string[]
  /** Members with a time window, `…After` and `…Before`. */
  windows?: readonly string[]
  /** Filters by elements of an array. */
  arrays?: readonly string[]
}

/** Tests a list through HTTP: records, filters, paging, and isolation between organizations. */
export function describeList<C extends Collection>(h: Harness, spec: ListSpec<C>): void {
  const { path, collection } = spec
  const make = (members: object = {}): RecordOf<C> => spec.make(members as Partial<RecordOf<C>>)
  const schemaOf = (member: string) =>
    (collection.record.properties as Record<string, JsonSchema>)[member] as JsonSchema
  const isNullable = (member: string) =>
    hasType(schemaOf(member), 'null') || schemaOf(member).enum?.includes(null) === true
  const members = spec.members.split(' ')

  let caller: Caller
  let other: Caller
  beforeEach(async () => {
    caller = await h.addCaller()
    other = await h.addCaller()
  })
  /** Stores a record with each variant of members, and a copy of each in another organization. */
  const putEach = async (variants: readonly object[]): Promise<RecordOf<C>[]> => {
    const records = variants.map((variant) => make(variant))
    await put(h, caller.org, collection, records)
    await put(
      h,
      other.org,
      collection,
      variants.map((variant) => make(variant)),
    )
    return records
  }
  const get = (query: string) => h.call(caller, 'GET', `${path}?${query}`)
  const found = async (query: string) => {
    const response = await get(query)
    expectAnswer(response, page(recordsOf(response)))
    return recordsOf(response)
  }
  const query = (name: string, ...values: unknown[]) =>
    values.map((value) => `${name}=${encodeURIComponent(String(value))}`).join('&')
  /** Returns a record where a nullable member is null, which no filter by it may find. */
  const unset = (member: string): object[] => (isNullable(member) ? [{ [member]: null }] : [])

  test('a record has exactly the declared members; unset ones are null', async () => {
    const nulls = Object.fromEntries(members.filter(isNullable).map((member) => [member, null]))
    const [full, bare] = await putEach([{}, nulls])
    const records = await found('')
    expect(records).toEqual([full, bare])
    expect(Object.keys(records[0])).toEqual(members)
    expect(Object.keys(records[1])).toEqual(members)
    expect(records[1]).toMatchObject(nulls)
  })

  test.each(Object.entries(spec.exact ?? {}))('%s is compared exactly', async (name, [one, two]) => {
    const [first] = await putEach([{ [name]: one }, { [name]: two }, ...unset(name)])
    expect(await found(query(name, one))).toEqual([first])
    expect(await found(query(name, `${one}x`))).toEqual([])
    expect(await found(query(name, one.slice(0, -1)))).toEqual([])
    expectProblem(await get(query(name, 'x'.repeat(257))), 'invalid_request', [
      inQuery(name, expect.stringMatching(/^must have (1 to|at most) \d+ characters$/)),
    ])
    expectProblem(await get(`${name}=a%00b`), 'invalid_request', [
      inQuery(name, 'must not contain a NUL character or an unpaired surrogate'),
    ])
    expectProblem(await get(`${name}=%ff`), 'invalid_request', [
      inQuery(name, 'must be percent-encoded UTF-8'),
    ])
  })

  test.each(Object.entries(spec.choices ?? {}))(
    '%s accepts one of its values and refuses others with the list',
    async (name, choices) => {
      const records = await putEach([...choices.map((choice) => ({ [name]: choice })), ...unset(name)])
      for (const [at, choice] of choices.entries())
        expect(await found(query(name, choice))).toEqual([records[at]])
      for (const wrong of ['UNHEARD_OF', String(choices[0]).toLowerCase(), 'null', '']) {
        expectProblem(await get(query(name, wrong)), 'invalid_request', [
          inQuery(name, `must be one of ${choices.join(', ')}`),
        ])
      }
    },
  )

  test.each(spec.flags ?? [])('%s accepts true or false', async (name) => {
    const [yes, no] = await putEach([{ [name]: true }, { [name]: false }])
    expect(await found(query(name, true))).toEqual([yes])
    expect(await found(query(name, false))).toEqual([no])
    for (const wrong of ['1', 'TRUE', 'yes', '']) {
      expectProblem(await get(query(name, wrong)), 'invalid_request', [
        inQuery(name, 'must be true or false'),
      ])
    }
  })

  test.each(spec.contains ?? [])('%s matches any part of the text, ignoring case', async (name) => {
    const texts = ['Ada.Byron@Example.com', 'grace_100%@example.org', 'ÅSE.Ørn@example.net']
    const [ada, grace, aase] = await putEach(texts.map((text) => ({ [name]: text })))
    expect(await found(query(name, 'ada.byron@example.com'))).toEqual([ada])
    expect(await found(query(name, 'BYRON'))).toEqual([ada])
    expect(await found(query(name, 'EXAMPLE.'))).toEqual([ada, grace, aase])
    expect(await found(query(name, 'åse.ø'))).toEqual([aase])
    expect(await found(query(name, 'a'))).toEqual([ada, grace, aase])
    expect(await found(query(name, 'Y'))).toEqual([ada])
    expect(await found(query(name, '_1'))).toEqual([grace])
    expect(await found(query(name, '0%@'))).toEqual([grace])
    expect(await found(query(name, 'a%b'))).toEqual([])
    expect(await found(query(name, 'a_a'))).toEqual([])
    expect(await found(query(name, '"*\'\\'))).toEqual([])
    expectProblem(await get(query(name, '')), 'invalid_request', [
      inQuery(name, 'must have 1 to 254 characters'),
    ])
  })

  test.each(spec.windows ?? [])(
    '%s has a window: After is inclusive and Before exclusive, so adjacent windows do not overlap',
    async (name) => {
      const times = [1000, 2000, 2000, 3000]
      const records = await putEach([...times.map((time) => ({ [name]: time })), ...unset(name)])
      const within = (from: number, below: number) => found(`${name}After=${from}&${name}Before=${below}`)
      expect(await found(`${name}After=2000`)).toEqual(records.slice(1, 4))
      expect(await found(`${name}After=2001`)).toEqual(records.slice(3, 4))
      expect(await found(`${name}Before=2000`)).toEqual(records.slice(0, 1))
      expect(await found(`${name}Before=2001`)).toEqual(records.slice(0, 3))
      const tiles = [await within(1000, 2000), await within(2000, 3000), await within(3000, 4000)]
      expect(tiles).toEqual([records.slice(0, 1), records.slice(1, 3), records.slice(3, 4)])
      expect(await within(3000, 2000)).toEqual([])
      expect(await within(0, 4294967295)).toEqual(records.slice(0, 4))
      expect(await found(`${name}After=4294967295`)).toEqual([])
      expect(await found(`${name}Before=0`)).toEqual([])
      const message = 'must be a whole number between 0 and 4294967295'
      expectProblem(await get(`${name}After=soon&${name}Before=1.5`), 'invalid_request', [
        inQuery(`${name}After`, message),
        inQuery(`${name}Before`, message),
      ])
    },
  )

  test.each(spec.arrays ?? [])('%s finds records with all the given values', async (name) => {
    const [both, one] = await putEach([{ [name]: ['one', 'two,2'] }, { [name]: ['one'] }, { [name]: [] }])
    expect(await found(query(name, 'one'))).toEqual([both, one])
    expect(await found(query(name, 'one', 'two,2'))).toEqual([both])
    expect(await found(query(`${name}[]`, 'one', 'two,2'))).toEqual([both])
    expect(await found(`${query(`${name}%5B%5D`, 'two,2')}&${query(name, 'one')}`)).toEqual([both])
    expect(await found(query(name, 'one', 'three'))).toEqual([])
    expect(await found(query(name, 'one,two,2'))).toEqual([])
  })

  test.each(spec.arrays ?? [])('%s accepts 50 values and refuses 51', async (name) => {
    const values = Array.from({ length: 51 }, (_, at) => `value ${at}`)
    const [first] = await putEach([{ [name]: values.slice(0, 50) }, { [name]: values.slice(0, 49) }])
    expect(await found(query(name, ...values.slice(0, 50)))).toEqual([first])
    expectProblem(await get(query(`${name}[]`, ...values)), 'invalid_request', [
      inQuery(name, 'must be given at most 50 times'),
    ])
  })

  describePaging(h, {
    fill: async (org, count) => {
      const records = Array.from({ length: count }, () => make())
      await put(h, org, collection, records)
      return { records, path }
    },
  })
}
