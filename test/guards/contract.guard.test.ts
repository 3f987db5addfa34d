import { Problem } from '@muster/contract/api'
import { errorCatalog } from '@muster/contract/errors'
import { queryParameters } from '@muster/contract/filter-schema'
import { exampleOf } from '@muster/contract/json-schema'
import { problemExample } from '@muster/contract/openapi-errors'
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
    test('is seen to be broken by its bad samples', () => {
      expect(rule.bad).not.toEqual([])
      expect(rule.bad.filter(rule.keeps)).toEqual([])
    })

    test('is seen to be kept by its good samples', () => {
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
    exceptions: { odd: 'It is there for the test.' },
  }

  test('lets its places pass, and no other', () => {
    const parts = [
      { place: 'odd', part: 1 },
      { place: 'other', part: 3 },
    ]
    expect(contractViolations(rule, parts)).toEqual(['other'])
  })

  test('must not name a place that keeps the rule', () => {
    expect(contractViolations(rule, [{ place: 'odd', part: 2 }])).toEqual([
      'odd is an exception but keeps the rule: take it off the list',
    ])
  })
})

const isValid = (schema: object, value: unknown) => Compile(schema as TSchema).Check(value)

describe('examples', () => {
  test('the check sees an example that does not fit', () => {
    expect(isValid({ type: 'string', maxLength: 2 }, 'long')).toBe(false)
  })

  test('every example fits its own schema', () => {
    const wrong = schemaParts.flatMap(({ place, part: { schema } }) =>
      (schema.examples ?? []).every((example) => isValid(schema, example)) ? [] : [place],
    )
    expect(wrong).toEqual([])
  })

  test('the example of every body and every response fits it', () => {
    const wrong = rootSchemas.filter(({ part: { schema } }) => !isValid(schema, exampleOf(schema)))
    expect(wrong.map(({ place }) => place)).toEqual([])
  })

  test('the example of every query parameter fits it', () => {
    const wrong = operationParts.flatMap(({ place, part }) =>
      queryParameters(part)
        .filter(({ schema, example }) => !isValid(schema, example))
        .map(({ name }) => `${place} ${name}`),
    )
    expect(wrong).toEqual([])
  })

  test.each(Object.keys(errorCatalog) as (keyof typeof errorCatalog)[])(
    'the example of %s is a problem',
    (code) => {
      expect(isValid(Problem, problemExample(code, 'https://localhost:8443'))).toBe(true)
    },
  )
})

test('every query parameter is described, and its texts and numbers have bounds', () => {
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
