import { type Static, type TObject, Type } from 'typebox'
import { accountOperations, accounts, usedBy } from '../records/account.ts'
import { accountOtherOperations, accountsOther } from '../records/account-other.ts'
import { appOperations, apps } from '../records/app.ts'
import { appOtherOperations, appsOther } from '../records/app-other.ts'
import { blockedUrlOperations, blockedUrls } from '../records/blocked-url.ts'
import { browserOperations, browsers } from '../records/browser.ts'
import { browserExtensionOperations, browserExtensions } from '../records/browser-extension.ts'
import { detectionOperations, detections } from '../records/detection.ts'
import { employeeOperations, employees } from '../records/employee.ts'
import { findingOperations, findings } from '../records/finding.ts'
import { stolenCredentialOperations } from '../records/stolen-credential.ts'
import { pageLimits } from './collection.ts'
import { type ErrorCode, errorCatalog } from './errors.ts'
import { closed, flag, listOf, nullable, oneOf, text, url } from './fields.ts'
import { nextTokenLengthMaximum } from './filter-schema.ts'
import { exampleOf, type JsonSchema } from './json-schema.ts'
import type { ActionOperation } from './operation.ts'

/** The whole of `/v1`: 36 endpoints in the order of the reference. */
export const operations = {
  ...accountOperations,
  ...accountOtherOperations,
  ...appOperations,
  ...appOtherOperations,
  ...browserOperations,
  ...browserExtensionOperations,
  ...detectionOperations,
  ...employeeOperations,
  ...findingOperations,
  ...blockedUrlOperations,
  ...stolenCredentialOperations,
}

export type OperationId = keyof typeof operations
/** The operations that need a handler of their own. */
export type ActionId = {
  [K in OperationId]: (typeof operations)[K] extends ActionOperation ? K : never
}[OperationId]

/** All collections in import order: each after those that its records refer to. */
export const collections = {
  employees,
  apps,
  appsOther,
  accounts,
  usedBy,
  accountsOther,
  browsers,
  browserExtensions,
  detections,
  findings,
  blockedUrls,
}
export type CollectionName = keyof typeof collections

/** The member that holds the records of a page (REST contract, rule 3). */
export const recordsMemberDefault = 'the service'

export const Paging = closed(
  {
    moreResults: flag('True if more results are available.'),
    nextToken: nullable(
      text(
        'Start of the next page. Pass it as the query parameter `nextToken` of the next request.',
        'AQAAAAAAAABkq83vEjRWeJA',
        nextTokenLengthMaximum,
      ),
    ),
    next: nullable(
      text(
        'Start of the next page. Pass it as the query parameter `offset` of the next request (a number as a string).',
        '100',
        16,
      ),
    ),
  },
  { $id: 'Paging', description: 'Paging information.' },
)
export type Paging = Static<typeof Paging>

/**
 * Returns the schema of a page: the records under `recordsMember`, and the paging information (REST contract, rule 3).
 * Its `$id` is that of the record followed by `Page`.
 */
export const pageOf = (record: TObject & { $id?: string }, recordsMember: string) =>
  closed(
    {
      [recordsMember]: listOf(
        record,
        'The records of the page.',
        [exampleOf(record as JsonSchema)],
        pageLimits.maximum,
      ),
      paging: Paging,
    },
    { $id: `${record.$id}Page`, description: 'A page of records.' },
  )

const MistakeInRequest = closed(
  {
    in: oneOf(['query', 'path', 'body', 'header'], 'Part of the request that is invalid.', 'query'),
    name: text('Name of the invalid parameter, header or member.', 'limit', 2048),
    message: text('The expected value.', 'must be between 1 and 1000', 8192),
  },
  { description: 'A validation error.' },
)

const codes = Object.keys(errorCatalog) as ErrorCode[]

/** Body of all error responses, as `application/problem+json` (RFC 9457; REST contract, Errors). */
export const Problem = closed(
  {
    type: url('The page about this kind of error.', 'https://localhost:8443/docs/errors/invalid_request'),
    title: text('The kind of error, in words.', errorCatalog.invalid_request.title, 256),
    status: Type.Integer({ description: 'The HTTP status.', examples: [400], minimum: 400, maximum: 599 }),
    detail: text('Details of this occurrence.', 'limit must be between 1 and 1000', 8192),
    code: oneOf(codes, 'The kind of error, for programs. It never changes.', 'invalid_request'),
    requestId: text('ID of the request in the server log.', '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90', 64, 1),
    message: text('The same text as `detail`.', 'limit must be between 1 and 1000', 8192),
    errors: Type.Optional(
      listOf(
        MistakeInRequest,
        'Every mistake in the request; only with status 400.',
        [{ in: 'query', name: 'limit', message: 'must be between 1 and 1000' }],
        1000,
      ),
    ),
  },
  { $id: 'Problem', description: 'An error response.' },
)
export type Problem = Static<typeof Problem>
