import type { KeyObject } from 'node:crypto'
import { type OperationId, operations } from '@muster/contract/api/api'
import type { Collection } from '@muster/contract/api/collection'
import { pageLimits } from '@muster/contract/api/collection'
import { notFound } from '@muster/contract/api/errors'
import type { Operation } from '@muster/contract/api/operation'
import { accounts } from '@muster/contract/records/account'
import type { ListPage } from '../http/bind.ts'
import type { Principal } from '../http/principal.ts'
import { invalidPagingToken, type QueryValues } from '../http/query.ts'
import { storable } from '../lib/text.ts'
import { listRecords } from '../query/list.ts'
import { makePagingToken, readPagingToken, type TokenScope } from '../query/paging-token.ts'
import { readRecordText, recordExists } from '../store/records.ts'
import type { Db } from '../store/sql.ts'

/** Creates the service for every list and get operation of the contract. No resource has its own read code. */
export function readService(options: { db: Db; tokenKey: KeyObject; recordsMember: string }) {
  const { db, tokenKey, recordsMember } = options
  const head = Buffer.from(`{${JSON.stringify(recordsMember)}:[`)

  const list = async (
    operationId: OperationId,
    principal: Principal,
    id: string,
    query: QueryValues,
  ): Promise<ListPage> => {
    const operation: Operation = operations[operationId]
    if (operation.kind !== 'list') throw new Error(`${operationId} is no list`)
    const { collection } = operation
    const { limit = pageLimits.default, nextToken, offset, ...filters } = query
    if (collection.parent && !(await isRecord(db, accounts, principal.org, id)))
      throw notFound('There is no such account')
    const scope: TokenScope = {
      org: principal.org,
      path: operation.path.replace(':id', id),
      filters: canonical(filters),
    }
    const after = nextToken === undefined ? 0 : readPagingToken(tokenKey, scope, String(nextToken))
    if (after === undefined) throw invalidPagingToken()
    const page = await listRecords(db, {
      collection,
      org: principal.org,
      filters,
      ...(collection.parent ? { parent: { column: 'account_id', value: id } } : {}),
      after,
      offset: Number(offset ?? 0),
      limit: Number(limit),
    })
    const token = page.more && offset === undefined ? makePagingToken(tokenKey, scope, page.lastSeq) : null
    const skip = page.more && nextToken === undefined ? Number(offset ?? 0) + page.count : null
    const body = enveloped(head, page.bytes, Buffer.from(pagingOf(page.more, token, skip)))
    page.release?.()
    const next = token === null ? skip && `offset=${skip}` : `nextToken=${token}`
    return { body, next: next || undefined }
  }

  const get = async (operationId: OperationId, principal: Principal, id: string): Promise<string> => {
    const operation: Operation = operations[operationId]
    if (operation.kind !== 'get') throw new Error(`${operationId} is no get`)
    const record = storableId(id)
      ? await readRecordText(db, operation.collection, principal.org, id)
      : undefined
    if (record === undefined) throw notFound()
    return record
  }

  return { list, get }
}

/** Wraps records in the envelope of a page. The buffer is not pooled, so its memory can be freed after sending. */
function enveloped(head: Uint8Array, records: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const body = Buffer.allocUnsafeSlow(head.length + records.length + tail.length)
  body.set(head)
  body.set(records, head.length)
  body.set(tail, head.length + records.length)
  return body
}

/** Returns false for IDs that cannot exist: too long, or with characters that the store cannot hold. */
export const storableId = (id: string): boolean => id.length <= 64 && storable(id)

const isRecord = async (db: Db, collection: Collection, org: number, id: string): Promise<boolean> =>
  storableId(id) && (await recordExists(db, collection, org, id))

/** Returns the same text for the same filters in any order. */
function canonical(filters: QueryValues): string {
  const names = Object.keys(filters).sort()
  if (names.length === 0) return ''
  return JSON.stringify(
    names.map((name) => [name, Array.isArray(filters[name]) ? [...filters[name]].sort() : filters[name]]),
  )
}

/**
 * Returns the end of a page's envelope. A request without `nextToken` and `offset` gets both ways to continue, a request with
 * one of them only that one (REST contract, Paging).
 */
const pagingOf = (more: boolean, token: string | null, offset: number | null): string =>
  `],"paging":{"moreResults":${more},"nextToken":${token && `"${token}"`},"next":${offset && `"${offset}"`}}}`
