import { type Static, Type } from 'typebox'
import { collection } from '../api/collection.ts'
import { closed, count, exact, flag, id, timestamp } from '../api/fields.ts'
import { operation } from '../api/operation.ts'

/** Maximum number of blocked URLs of an organization (REST contract, Blocked URL). */
export const blockedUrlsMaximum = 25_000

/** Maximum length of a pattern. */
export const patternLengthMaximum = 2048

const pattern = exact(
  'The pattern: `[scheme://]host[:port][/path]`. The scheme is http or https; without it both match. A leading `*.` matches the host and all its subdomains. `*` in the path matches any characters. Without a path the whole host matches.',
  '*.example.net/login/*',
  patternLengthMaximum,
  1,
)

export const BlockedUrl = closed(
  {
    id: id('Unique identifier of the blocked URL.'),
    url: pattern,
    creationTimestamp: timestamp('Time when the URL was added; UNIX seconds.'),
  },
  { $id: 'BlockedUrl', description: 'A pattern of addresses that browsers must not open.' },
)
export type BlockedUrl = Static<typeof BlockedUrl>

export const blockedUrls = collection({ name: 'blockedUrls', record: BlockedUrl, filters: {} })

/** Confirmation for a pattern that blocks a whole public suffix. */
export const allowPublicSuffix = flag(
  'True to allow a pattern for a whole public suffix, such as `*.com` or `*.github.io`, which blocks every site under it. False by default.',
  false,
)

export const BlockedUrlCreation = closed(
  { url: pattern, allowPublicSuffix: Type.Optional(allowPublicSuffix) },
  { $id: 'BlockedUrlCreation', description: 'The pattern to block.' },
)
export type BlockedUrlCreation = Static<typeof BlockedUrlCreation>

export const BlockedUrlsDeletion = closed(
  { count: count('Number of deleted blocked URLs.', 12) },
  { $id: 'BlockedUrlsDeletion', description: 'Result of the deletion.' },
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
      'Returns the record. An existing pattern is returned unchanged. A pattern that blocks a whole public suffix needs `allowPublicSuffix`. An organization can have 25,000.',
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
    description: 'Returns the number of deleted records.',
    tag: 'controls',
    response: BlockedUrlsDeletion,
    errors: [],
  }),
}
