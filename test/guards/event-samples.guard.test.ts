import { eventDeclarationOf, eventObjects, eventSchemaOf } from '@muster/contract/events/event-objects'
import { Compile } from 'typebox/schema'
import { expect, test } from 'vitest'
import { readRepositoryFile } from './repository.ts'

const { text: guide } = readRepositoryFile('docs/guide/events.md')
const samples = new Map(
  [...guide.matchAll(/\n### ([A-Z_]+)\n\n[^`]*```json\n([^`]+)```\n/g)].map(([, object = '', text = '']) => [
    object,
    JSON.parse(text) as unknown,
  ]),
)

test('the events guide has a sample of every object', () => {
  expect([...samples.keys()]).toEqual(eventObjects)
})

test.each(eventObjects)('the sample of %s matches its schema', (object) => {
  const sample = samples.get(object)
  expect(Compile(eventSchemaOf(object)).Errors(sample)[1]).toEqual([])
  expect(sample).toMatchObject({ object, category: eventDeclarationOf(object).category })
})
