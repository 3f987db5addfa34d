import { queryParameters } from '@muster/contract/api/filter-schema'
import type { ActionOperation, Operation } from '@muster/contract/api/operation'
import type { ExampleRequest } from './example-requests.ts'
import { anyCharacter, fc } from './fast-check.ts'

/** Request as sent over the wire. */
export interface OddRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer | undefined
}

const deep = (open: string, close: string, levels: number): string =>
  open.repeat(levels) + close.repeat(levels)

const oddTexts = [
  ...[
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'a\udc00b',
    '\ufeff',
    '\u202e',
    'a\u2028\u009bb',
    'cafe\u0301',
    'a..b@x.com',
    `a${'\u0301'.repeat(500)}${'\u0327'.repeat(500)}`,
    '%',
    '%00',
    "' OR 1=1 --",
    '"; --',
  ],
  ...[
    '../../etc/passwd',
    '{{7*7}}',
    '<script>',
    '😀'.repeat(300),
    'x'.repeat(255),
    'x'.repeat(20_000),
    '@',
    'a@',
    'İ@ß',
  ],
  ...['null', 'true', '0', '-1', '1e3', '0x10', '9007199254740993', 'constructor', '__proto__', '1.0', '٣'],
]
const text = fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: anyCharacter, maxLength: 20 }))

/** JSON value that is probably invalid for its place. */
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.constantFrom(null, true, 0, -1, 1.5, 1e300, -1e-300, Number.MAX_SAFE_INTEGER + 2, [], {}, [[]], [null], {
    a: {},
  }),
  fc.constantFrom<unknown>(
    [...Array(1001).keys()],
    Object.fromEntries(Array(500).entries()),
    'y'.repeat(300_000),
  ),
  fc.array(text, { maxLength: 4 }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Bytes that are not a JSON object, or barely one. */
const oddBytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .constantFrom(
      ...[
        '',
        ' ',
        '{',
        '{"',
        '[',
        '{"a":}',
        '{a:1}',
        "{'a':1}",
        '{"a":1,}',
        '{"a":1}{"b":2}',
        '{}x',
        '\ufeff{}',
        'NaN',
      ],
      ...[
        '1e400',
        '-',
        '0123',
        '"\\ud800"',
        '"\\u0000"',
        '{"__proto__":{"email":"a@b"}}',
        '/**/{}',
        '{"email":"a@b"',
        'null',
      ],
      deep('[', ']', 100_000),
      deep('{"a":', '}', 100_000).replace('}', '1}'),
      '['.repeat(500_000),
      '{"a":'.repeat(200_000),
      `{"a":${'9'.repeat(100_000)}}`,
      `"${'\\u0000'.repeat(100_000)}"`,
      `[${'null,'.repeat(200_000)}null]`,
    )
    .map((text) => Buffer.from(text)),
  fc
    .constantFrom('c328', 'ff', 'fffe7b007d00', 'eda080', '7b22c0af223a317d', '00')
    .map((hex) => Buffer.from(hex, 'hex')),
  fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
)

/** Valid body with one error. */
function changedBody(operation: ActionOperation, right: object): fc.Arbitrary<Buffer> {
  const names = Object.keys(operation.body?.properties ?? {})
  const name = names.length > 0 ? fc.oneof(fc.constantFrom(...names), text) : text
  return fc
    .oneof(
      fc.tuple(name, oddValue).map(([name, value]) => ({ ...right, [name]: value })),
      fc.constantFrom(...Object.keys(right), 'none').map((name) => ({ ...right, [name]: undefined })),
      oddValue,
    )
    .map((value) => Buffer.from(JSON.stringify(value) ?? ''))
}

/** Percent-encoded text, sometimes with needless or invalid encoding. */
const encoded = fc.oneof(
  text.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom(
    '%',
    '%zz',
    '%2',
    '%c3%28',
    '%ff',
    '%00',
    '%ed%a0%80',
    '+',
    '%2B',
    '&',
    '=',
    '%26',
    ';',
    '[]',
    '?',
  ),
)

function query(operation: Operation): fc.Arbitrary<string> {
  const names = queryParameters(operation).map(({ name }) => name)
  const name = fc.oneof(fc.constantFrom('x', 'limit', 'offset', 'nextToken', ...names), encoded)
  const pair = fc
    .tuple(name, fc.oneof(encoded, fc.constantFrom('1', 'true', '', 'a')))
    .map((pair) => pair.join('='))
  return fc.array(pair, { maxLength: 5 }).map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''))
}

const headers = fc.record(
  {
    'content-type': fc.constantFrom(
      ...[
        'text/plain',
        'application/json; charset=latin1',
        'application/JSON',
        'application/jsonx',
        '',
        ';',
        'a'.repeat(500),
      ],
    ),
    'content-encoding': fc.constantFrom('gzip', 'br', 'nonsense'),
    'idempotency-key': fc.constantFrom('', ' ', 'a', 'é', 'k'.repeat(256), '\u0001'.length > 0 ? 'a\tb' : ''),
    'x-request-id': fc.constantFrom('', 'a b', 'x'.repeat(65), '{"a":1}'),
    accept: fc.constantFrom('text/html', 'application/xml', '*', ''),
    'if-none-match': fc.constantFrom('*', '"x"'),
    range: fc.constantFrom('bytes=0-1', 'bytes=9-', 'x'),
    'x-http-method-override': fc.constantFrom('DELETE', 'PATCH'),
  },
  { requiredKeys: [] },
)

/** Requests for an operation that are probably invalid: in the ID, the query, the body or a header. */
export function oddRequest(operation: Operation, right: ExampleRequest): fc.Arbitrary<OddRequest> {
  const path = fc.oneof(
    { weight: 4, arbitrary: fc.constant(right.url) },
    { weight: 1, arbitrary: encoded.map((id) => right.withId(id.replace('?', ''))) },
  )
  const takesBody = operation.kind === 'action' && operation.body !== undefined
  const rightBody = right.body === undefined ? undefined : Buffer.from(JSON.stringify(right.body))
  const body: fc.Arbitrary<Buffer | undefined> = takesBody
    ? fc.oneof(
        { weight: 5, arbitrary: changedBody(operation, (right.body ?? {}) as object) },
        { weight: 3, arbitrary: oddBytes },
        { weight: 1, arbitrary: fc.constant(rightBody) },
      )
    : fc.option(oddBytes, { nil: undefined, freq: 2 })
  return fc
    .record({
      path,
      query: fc.oneof({ weight: 1, arbitrary: fc.constant('') }, { weight: 1, arbitrary: query(operation) }),
      body,
      headers: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
    })
    .map(({ path, query, body, headers }) => ({
      method: right.method,
      path: path + query,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      body,
    }))
}
