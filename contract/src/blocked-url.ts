import { type Static, Type } from 'typebox'
import { collection } from './collection.ts'
import { closed, count, exact, flag, id, timestamp } from './fields.ts'
import { operation } from './operation.ts'

/** How many blocked URLs an organization may have (REST contract, Blocked URL). */
export const blockedUrlsMaximum = 25_000

/** How long a pattern may be. */
export const patternLengthMaximum = 2048

const pattern = exact(
  'The pattern: `[scheme://]host[:port][/path]`. The scheme is http or https, without it both; `*.` in front is the host and all below it; `*` in the path is any run of characters; no path is the whole host.',
  '*.example.net/login/*',
  patternLengthMaximum,
  1,
)

export const BlockedUrl = closed(
  {
    id: id('Unique identifier of the blocked URL.'),
    url: pattern,
    creationTimestamp: timestamp('When the URL was added; UNIX seconds.'),
  },
  { $id: 'BlockedUrl', description: 'A pattern of addresses that browsers must not open.' },
)
export type BlockedUrl = Static<typeof BlockedUrl>

export const blockedUrls = collection({ name: 'blockedUrls', record: BlockedUrl, filters: {} })

/** Confirms that a pattern may block a whole public suffix. */
export const allowPublicSuffix = flag(
  'Whether a pattern may block a whole public suffix, such as `*.com` or `*.github.io`: every site under it. False unless given.',
  false,
)

export const BlockedUrlCreation = closed(
  { url: pattern, allowPublicSuffix: Type.Optional(allowPublicSuffix) },
  { $id: 'BlockedUrlCreation', description: 'The pattern to block.' },
)
export type BlockedUrlCreation = Static<typeof BlockedUrlCreation>

export const BlockedUrlsDeletion = closed(
  { count: count('How many blocked URLs were deleted.', 12) },
  { $id: 'BlockedUrlsDeletion', description: 'What was deleted.' },
)
export type BlockedUrlsDeletion = Static<typeof BlockedUrlsDeletion>

export const blockedUrlOperations = {
  listBlockedUrls: operation({
    kind: 'list',
    collection: blockedUrls,
    path: '/v1/controls/blockedUrls',
    tag: 'controls',
    summary: 'List all blocked URLs',
  }),
  addBlockedUrl: operation({
    kind: 'action',
    method: 'POST',
    path: '/v1/controls/blockedUrls',
    summary: 'Add a new blocked URL',
    description:
      'Returns the record. A pattern that is there already is returned unchanged. A pattern that blocks a whole public suffix needs `allowPublicSuffix`. An organization may have 25,000.',
    tag: 'controls',
    body: BlockedUrlCreation,
    response: BlockedUrl,
    errors: [],
  }),
  deleteBlockedUrls: operation({
    kind: 'action',
    method: 'DELETE',
    path: '/v1/controls/blockedUrls',
    summary: 'Delete all blocked URLs',
    description: 'Returns how many there were.',
    tag: 'controls',
    response: BlockedUrlsDeletion,
    errors: [],
  }),
}
