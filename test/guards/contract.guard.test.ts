import { Problem } from '@muster/contract/api/api'
import { errorCatalog } from '@muster/contract/api/errors'
import { queryParameters } from '@muster/contract/api/filter-schema'
import { exampleOf } from '@muster/contract/api/json-schema'
import { problemExample } from '@muster/contract/api/openapi-errors'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import {
  type ContractRule,
  contractViolations,
  filterParts,
  filterRules,
  operationParts,
  operationRules,
  type Placed,
  rootSchemas,
  schemaParts,
  schemaRules,
} from './contract-rules.ts'

/** Tests each rule on its own samples, then on all parts of the contract of its kind. */
function testContractRules<T>(rules: readonly ContractRule<T>[], parts: readonly Placed<T>[]): void {
  describe.each(rules)('$guarantee', (rule) => {
    test('is violated by its bad samples', () => {
      expect(rule.bad).not.toEqual([])
      expect(rule.bad.filter(rule.keeps)).toEqual([])
    })

    test('is not violated by its good samples', () => {
      expect(rule.good).not.toEqual([])
      expect(rule.good.filter((sample) => !rule.keeps(sample))).toEqual([])
    })

    test('holds in the contract', () => {
      expect(parts).not.toEqual([])
      expect(contractViolations(rule, parts)).toEqual([])
    })
  })
}

testContractRules(schemaRules, schemaParts)
testContractRules(filterRules, filterParts)
testContractRules(operationRules, operationParts)

describe('the list of exceptions', () => {
  const rule: ContractRule<number> = {
    guarantee: 'every number is even',
    keeps: (part) => part % 2 === 0,
    bad: [1],
    good: [2],
    exceptions: { odd: 'Used by this test.' },
  }

  test('exempts its locations and no others', () => {
    const parts = [
      { place: 'odd', part: 1 },
      { place: 'other', part: 3 },
    ]
    expect(contractViolations(rule, parts)).toEqual(['other'])
  })

  test('must not contain a location that complies', () => {
    expect(contractViolations(rule, [{ place: 'odd', part: 2 }])).toEqual([
      'odd is an exception but complies: remove it from the list',
    ])
  })
})

const isValid = (schema: object, value: unknown) => Compile(schema as TSchema).Check(value)

describe('examples', () => {
  test('the check detects an example that does not match', () => {
    expect(isValid({ type: 'string', maxLength: 2 }, 'long')).toBe(false)
  })

  test('every example matches its own schema', () => {
    const wrong = schemaParts.flatMap(({ place, part: { schema } }) =>
      (schema.examples ?? []).every((example) => isValid(schema, example)) ? [] : [place],
    )
    expect(wrong).toEqual([])
  })

  test('the example of every body and every response matches its schema', () => {
    const wrong = rootSchemas.filter(({ part: { schema } }) => !isValid(schema, exampleOf(schema)))
    expect(wrong.map(({ place }) => place)).toEqual([])
  })

  test('the example of every query parameter matches its schema', () => {
    const wrong = operationParts.flatMap(({ place, part }) =>
      queryParameters(part)
        .filter(({ schema, example }) => !isValid(schema, example))
        .map(({ name }) => `${place} ${name}`),
    )
    expect(wrong).toEqual([])
  })

  test.each(Object.keys(errorCatalog) as (keyof typeof errorCatalog)[])(
    'the example of %s is a valid problem',
    (code) => {
      expect(isValid(Problem, problemExample(code, 'https://localhost:8443'))).toBe(true)
    },
  )
})

test('every query parameter is described, and its texts and numbers are bounded', () => {
  const parameters = operationParts.flatMap(({ place, part }) =>
    queryParameters(part).map((parameter) => ({ place: `${place} ${parameter.name}`, parameter })),
  )
  const isBounded = (schema: object) =>
    'enum' in schema ||
    'maxLength' in schema ||
    'maximum' in schema ||
    ('type' in schema && schema.type === 'boolean')
  const wrong = parameters.filter(
    ({ parameter }) =>
      !isBounded(parameter.schema) || !/\.$/.test(parameter.description) || parameter.maxValues > 50,
  )
  expect(isBounded({ type: 'string' })).toBe(false)
  expect(parameters.length).toBeGreaterThan(100)
  expect(wrong.map(({ place }) => place)).toEqual([])
})
