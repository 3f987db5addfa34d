import { invalidRequest, type Mistake } from '@muster/contract/api/errors'
import { storable } from '../../kernel/lib/text.ts'
import type { Cursor } from '../../kernel/query/scan.ts'
import type { SortColumn } from '../../kernel/store/tables.ts'

/** Returns a cursor as text. */
export const writeCursor = ({ value, seq }: Cursor): string =>
  Buffer.from(JSON.stringify([value, seq])).toString('base64url')

/**
 * Reads a cursor. It is not signed: it is only a position, and the query is restricted to the organization.
 *
 * @param column column of the sort; undefined for a sort by creation
 * @throws ApiError invalid_request
 */
export function readCursor(
  cursor: string,
  column: Pick<SortColumn, 'type'> | undefined,
  place: Mistake['in'] = 'query',
): Cursor {
  try {
    const [value, seq] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    const isText = typeof value === 'string' && storable(value)
    const hasType = column?.type === 'text' ? isText : Number.isSafeInteger(value)
    const isValid = value === null || (hasType && column !== undefined)
    if (isValid && Number.isSafeInteger(seq)) return { value: value as Cursor['value'], seq: seq as number }
  } catch {
    // Not a cursor.
  }
  const message = 'must be the cursor of the previous page, with the same sort; leave it out to start over'
  throw invalidRequest([{ in: place, name: 'cursor', message }])
}
