import { loginTypes } from '@muster/contract/agent/agent-event'
import { createCatalog } from '@muster/contract/catalog/catalog'
import { products } from '@muster/contract/catalog/products'
import { Type } from 'typebox'
import { Compile } from 'typebox/schema'
import { expect, test } from 'vitest'
import { departmentNames, departments, offices, otherSites, sharedByTeam } from './company.ts'
import { readDemoJson, readDemoJsonLines } from './demo-data.ts'
import { sampleExtensions } from './extension-samples.ts'
import { firstNames, lastNames } from './person-names.ts'
import { signIns, usedProducts } from './used-products.ts'

const closed = <T extends Parameters<typeof Type.Object>[0]>(members: T) =>
  Type.Object(members, { additionalProperties: false })
const text = Type.String({ minLength: 1 })
const texts = Type.Array(text)
const names = Type.Array(text, { minItems: 50, uniqueItems: true })
const oneOf = (values: readonly string[]) => Type.Union(values.map((value) => Type.Literal(value)))
const share = Type.Number({ minimum: 0, maximum: 1 })
const weight = Type.Integer({ minimum: 1 })
const host = Type.String({ pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)*\\.example$' })
const documentationAddress = Type.String({
  pattern: '^$|^(?:192\\.0\\.2|198\\.51\\.100|203\\.0\\.113)\\.\\d{1,3}$',
})

const schemas = {
  'person-names.json': closed({ firstNames: names, lastNames: names }),
  'company.json': closed({
    departments: Type.Array(closed({ name: oneOf(departmentNames), weight, groups: texts })),
    offices: Type.Array(
      closed({
        name: text,
        weight,
        utcOffset: Type.Integer({ minimum: -12, maximum: 14 }),
        address: documentationAddress,
      }),
    ),
    sharedByTeam: Type.Partial(Type.Record(oneOf(departmentNames), texts)),
    otherSites: Type.Array(host, { uniqueItems: true }),
    rareSites: closed({ first: texts, second: texts }),
  }),
  'extensions.jsonl': Type.Array(
    closed({
      name: text,
      reach: share,
      description: text,
      permissions: texts,
      hostPermissions: texts,
      homePageUrl: Type.Union([Type.String({ pattern: '^https://[a-z0-9-]*\\.example/$' }), Type.Null()]),
    }),
  ),
  'used-products.jsonl': Type.Array(
    closed({
      appType: text,
      audience: oneOf([...departmentNames, 'Everyone', 'GenAI']),
      reach: share,
      signIn: oneOf(Object.keys(signIns)),
    }),
  ),
}

test.each(Object.entries(schemas))('%s matches its schema', (file, schema) => {
  const data = file.endsWith('.jsonl') ? readDemoJsonLines(file) : readDemoJson(file)
  expect(Compile(schema).Errors(data)[1]).toEqual([])
})

test('names, extensions, products and departments are unique', () => {
  for (const values of [
    firstNames,
    lastNames,
    otherSites,
    departments.map(({ name }) => name),
    offices.map(({ name }) => name),
    sampleExtensions.map(({ extensionId }) => extensionId),
    usedProducts.map(({ appType }) => appType),
  ])
    expect(new Set(values).size).toBe(values.length)
  expect(departments.map(({ name }) => name)).toEqual([...departmentNames])
})

test('used and shared products are in the catalog', () => {
  const catalog = createCatalog(products)
  const appTypes = [...usedProducts.map(({ appType }) => appType), ...Object.values(sharedByTeam).flat()]
  expect(appTypes.filter((appType) => catalog.byType(appType) === undefined)).toEqual([])
  expect(Object.values(signIns).filter(({ loginType }) => !loginTypes.includes(loginType))).toEqual([])
})
