import { operations } from '@muster/contract/api/api'
import { hasType, type JsonSchema } from '@muster/contract/api/json-schema'
import { ProductSchema } from '@muster/contract/catalog/product-schema'
import { consoleOperations } from '@muster/contract/console/console-api'
import { Controls } from '@muster/contract/records/controls'
import { formatPatterns, textFormats } from '@muster/contract/text/text-format'
import { expect, test } from 'vitest'
import { walk } from './contract-rules.ts'
import { testRules } from './rule-tests.ts'

/**
 * Request bodies by location: all of `/v1` and of the console, and the documents that commands read from files. Bodies of
 * agents are not included: browser reports are not refused but displayed safely.
 */
const bodies: Record<string, JsonSchema | undefined> = {
  ...Object.fromEntries(
    Object.entries({ ...operations, ...consoleOperations }).map(([id, operation]) => [
      id,
      ('body' in operation ? operation.body : undefined) as JsonSchema | undefined,
    ]),
  ),
  controls: Controls as JsonSchema,
  products: ProductSchema as JsonSchema,
}

/** Locations that need no format, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {
  'addBlockedUrls.patterns[]': 'Each pattern is checked on its own; the response lists the refused ones.',
}

const known: ReadonlySet<string> = new Set(Object.values(textFormats))

/** Returns true for a string schema that is restricted by a format of ours, a pattern or a list of values. */
const isRestricted = ({ enum: values, pattern, format = '' }: JsonSchema): boolean =>
  values !== undefined || pattern !== undefined || known.has(format)

function unrestrictedStrings(place: string, schema: JsonSchema): string[] {
  return walk(place, { schema, in: 'body' }).flatMap(({ place: at, part }) =>
    hasType(part.schema, 'string') && !isRestricted(part.schema) ? [at] : [],
  )
}

test('the check detects an unrestricted string', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      name: { type: 'string', maxLength: 9 },
      list: { type: 'array', items: { type: ['string', 'null'], format: 'odd' } },
      line: { type: 'string', format: textFormats.line },
      kind: { type: 'string', enum: ['A'] },
      hash: { type: 'string', pattern: '^a$' },
    },
  }
  expect(unrestrictedStrings('body', schema)).toEqual(['body.name', 'body.list[]'])
})

test('every string of a request body is one line, several lines, an address, a lookup or a secret', () => {
  expect(Object.keys(bodies).length).toBeGreaterThan(60)
  const found = Object.entries(bodies).flatMap(([place, schema]) =>
    schema ? unrestrictedStrings(place, schema) : [],
  )
  expect(found).toEqual(Object.keys(exceptions))
})

testRules([
  {
    guarantee: 'the console links to other sites with ExternalLink, which checks the scheme',
    applies: (path) => path.startsWith('console/src/') && path.endsWith('.tsx'),
    violations: ({ text }) =>
      [...text.matchAll(/\bhref=\{(?!`\/)[^}]*\}|dangerouslySetInnerHTML|window\.open\(/g)].map(
        ([found]) => `${found}: use ExternalLink`,
      ),
    bad: ['href={url}', 'href={href(url)}', 'window.open(url)', 'dangerouslySetInnerHTML'].map((text) => ({
      path: 'console/src/pages/x.tsx',
      text: `<a ${text}>x</a>`,
    })),
    good: ['href="/docs"', 'href={`/console/keys`}'].map((text) => ({
      path: 'console/src/pages/x.tsx',
      text: `<a ${text}>x</a>`,
    })),
    exceptions: {
      'console/src/ui/text/external-link.tsx': 'defines ExternalLink',
      'console/src/shell/reauthentication-dialog.tsx': 'a path within the console',
      'console/src/pages/guide/guide-page.tsx': 'the guide, rendered at build time',
    },
  },
])

test('every restrictive format is defined in the contract, and every input format has an OpenAPI pattern or accepts any text', () => {
  const unrestricted = [textFormats.lookup, textFormats.secret]
  expect([...Object.keys(formatPatterns), ...unrestricted].sort()).toEqual([...known].sort())
})
