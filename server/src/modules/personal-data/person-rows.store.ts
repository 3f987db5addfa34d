import type { Collection } from '@muster/contract/api/collection'
import { foldAscii } from '../../kernel/lib/fold-case.ts'
import { mentionsPerson, type PersonIdentifiers, textsOf } from '../../kernel/lib/person-mention.ts'
import { rawEventTable } from '../../kernel/store/raw-event-tables.ts'
import { sequenceEnd } from '../../kernel/store/sequence.ts'
import type { Param, Reader } from '../../kernel/store/sql.ts'
import { tableOf } from '../../kernel/store/tables.ts'
import { containsAny, filtersNaming, notesNaming, placeholders } from '../employees/person-search.service.ts'
import { rawEventWeeks } from '../ingest/raw-events.service.ts'

/** Rows scanned per statement. Rows about others are not transferred, only their keys. */
const rowsPerRead = 500

/**
 * Length of a report, in characters, up to which it is read together with others. A report can be as large as a batch after
 * decompression (8 MB), so longer ones are read one at a time.
 */
const shortEvent = 16_384

interface RawEvent {
  readonly id: string
  readonly browserId: string
  readonly employeeId: string
  readonly receivedMs: number
  readonly address: string | null
  readonly userAgent: string | null
  /** Length of the event, in characters. Null if it is not about the person. */
  readonly size: number | null
  /** Null if the event is long, or not about the person. */
  readonly event: string | null
}

/** Returns the raw events that browsers of the person reported, and those that name the person. */
export async function* rawEventsOf(
  reader: Reader,
  org: number,
  names: PersonIdentifiers,
): AsyncGenerator<readonly object[]> {
  const texts = textsOf(names)
  const holds = `(employee_id IN (${placeholders(names.ids)}) OR ${containsAny(reader, 'event', texts)})`
  const about = ({ id, browserId, employeeId, receivedMs, address, userAgent }: RawEvent, event: string) => {
    if (!names.ids.includes(employeeId) && !mentionsPerson(foldAscii(event), names)) return []
    const facts = { id, browserId, receivedTimestamp: Math.floor(Number(receivedMs) / 1000) }
    return [{ ...facts, sourceIpAddress: address, userAgent, event: JSON.parse(event) as unknown }]
  }
  for (const week of await rawEventWeeks(reader)) {
    const table = rawEventTable(week)
    let after: Param[] = ['', '']
    for (;;) {
      const rows = await reader.all<RawEvent>(
        `SELECT id, "browserId", "employeeId", "receivedMs", address, "userAgent", size,
         CASE WHEN size <= ${shortEvent} THEN event END AS event FROM (
           SELECT id, browser_id AS "browserId", employee_id AS "employeeId", received_ms AS "receivedMs", address,
           user_agent AS "userAgent", event, CASE WHEN ${holds} THEN length(event) END AS size FROM ${table}
           WHERE org = ? AND (id, browser_id) > (?, ?) ORDER BY id, browser_id LIMIT ${rowsPerRead}) AS part
         ORDER BY id, "browserId"`,
        [...names.ids, ...texts, org, ...after],
      )
      let short: object[] = []
      for (const row of rows) {
        if (row.size === null) continue
        if (row.event !== null) {
          short.push(...about(row, row.event))
          continue
        }
        if (short.length > 0) yield short
        short = []
        const sql = `SELECT event FROM ${table} WHERE org = ? AND id = ? AND browser_id = ?`
        const long = await reader.get<{ event: string }>(sql, [org, row.id, row.browserId])
        const own = long ? about(row, long.event) : []
        if (own.length > 0) yield own
      }
      if (short.length > 0) yield short
      const last = rows.at(-1)
      if (!last || rows.length < rowsPerRead) break
      after = [last.id, last.browserId]
    }
  }
}

/** Returns the records of others in a collection, with an `employeeId`, that name the person. */
export async function* recordsNaming(
  reader: Reader,
  collection: Collection,
  org: number,
  names: PersonIdentifiers,
): AsyncGenerator<readonly object[]> {
  const texts = textsOf(names)
  const holds = containsAny(reader, 't.record', texts)
  for (const hidden of [0, 1]) {
    for (let after = -1; ; ) {
      const { where, params, order } = reader.dialect.scan(org, hidden, after, sequenceEnd)
      const rows = await reader.all<{ seq: number; text: string | null }>(
        `SELECT t.seq AS seq, CASE WHEN ${holds} THEN t.record END AS text FROM ${tableOf(collection).name} t
         WHERE ${where} ORDER BY ${order} LIMIT ${rowsPerRead}`,
        [...texts, ...params],
      )
      const own = parsedMentions(rows, names).filter(
        (record) => !names.ids.includes((record as { employeeId: string }).employeeId),
      )
      if (own.length > 0) yield own
      const last = rows.at(-1)
      if (!last || rows.length < rowsPerRead) break
      after = last.seq
    }
  }
}

/** Returns the saved filters of administrators that search for the person. */
export async function savedFiltersNaming(
  reader: Reader,
  org: number,
  names: PersonIdentifiers,
): Promise<object[]> {
  const found = await filtersNaming(reader, org, names)
  return found.map(({ id, list, name, query }) => ({ id, list, name, query }))
}

/** Returns the histories of findings and detections by the IDs of these records. */
export const workEntriesOf = (reader: Reader, org: number, recordIds: readonly string[]): Promise<object[]> =>
  reader.all(
    `SELECT record_id AS "recordId", kind, timestamp, author, before AS "from", after AS "to",
     until_timestamp AS "untilTimestamp", text FROM work_entries
     WHERE org = ? AND ${reader.dialect.textIn('record_id')} ORDER BY record_id, number`,
    [org, JSON.stringify(recordIds)],
  )

/** Returns the notes on findings and detections of others that name the person. */
export async function notesOnOthers(
  reader: Reader,
  org: number,
  names: PersonIdentifiers,
  isOwn: (recordId: string) => boolean,
): Promise<object[]> {
  const notes = await notesNaming(reader, org, names)
  return notes.flatMap(({ recordId, kind, timestamp, text }) =>
    isOwn(recordId) ? [] : [{ recordId, kind, timestamp, text }],
  )
}

/** Returns the events for webhooks and streams that name the person. */
export async function* storedEventsNaming(
  reader: Reader,
  org: number,
  names: PersonIdentifiers,
): AsyncGenerator<readonly object[]> {
  const texts = textsOf(names)
  const sql = `SELECT id, CASE WHEN ${containsAny(reader, 'body', texts)} THEN body END AS text FROM events
    WHERE org = ? AND id > ? ORDER BY id LIMIT ${rowsPerRead}`
  for (let after = ''; ; ) {
    const rows = await reader.all<{ id: string; text: string | null }>(sql, [...texts, org, after])
    const own = parsedMentions(rows, names)
    if (own.length > 0) yield own
    const last = rows.at(-1)
    if (!last || rows.length < rowsPerRead) return
    after = last.id
  }
}

/** Returns the entries of the audit trail that name the person, oldest first. */
export async function* auditEntriesNaming(
  reader: Reader,
  org: number,
  names: PersonIdentifiers,
): AsyncGenerator<readonly object[]> {
  const texts = textsOf(names)
  const holds = containsAny(reader, 'e.event', texts)
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const { where, params, order } = reader.dialect.auditScan(org, after)
    const rows = await reader.all<{ position: number; text: string | null }>(
      `SELECT e.position AS position, CASE WHEN ${holds} THEN e.event END AS text FROM audit_events AS e
       WHERE ${where} ORDER BY ${order} LIMIT ${rowsPerRead}`,
      [...texts, ...params],
    )
    const own = parsedMentions(rows, names)
    if (own.length > 0) yield own
    const last = rows.at(-1)
    if (!last || rows.length < rowsPerRead) return
    after = Number(last.position)
  }
}

const parsedMentions = (rows: readonly { text: string | null }[], names: PersonIdentifiers): object[] =>
  rows.flatMap(({ text }) =>
    text !== null && mentionsPerson(foldAscii(text), names) ? [JSON.parse(text) as object] : [],
  )

/** Returns the enrollment links of employees, without their tokens. */
export const enrollmentLinksOf = (
  reader: Reader,
  org: number,
  employeeIds: readonly string[],
): Promise<object[]> =>
  reader.all(
    `SELECT id, creation_timestamp AS "creationTimestamp", expiration_timestamp AS "expirationTimestamp",
     used_timestamp AS "usedTimestamp", revoked_timestamp AS "revokedTimestamp"
     FROM enrollment_links WHERE org = ? AND employee_id IN (${placeholders(employeeIds)}) ORDER BY creation_timestamp, id`,
    [org, ...employeeIds],
  )

/** Returns the e-mails to addresses, by their case-folded form. */
export async function noticesTo(
  reader: Reader,
  org: number,
  addresses: readonly string[],
): Promise<object[]> {
  const rows = await reader.all<{ facts: string }>(
    `SELECT id, kind, address, facts, state, creation_timestamp AS "creationTimestamp", sent_timestamp AS "sentTimestamp"
     FROM notices WHERE org = ? AND address_key IN (${placeholders(addresses)}) ORDER BY creation_timestamp, id`,
    [org, ...addresses],
  )
  return rows.map((row) => ({ ...row, facts: JSON.parse(row.facts) as unknown }))
}

/** Returns the stolen credentials of addresses, without what could reveal a password. */
export const stolenCredentialsOf = (
  reader: Reader,
  org: number,
  addressHmacs: readonly string[],
): Promise<object[]> =>
  reader.all(
    `SELECT id, source, creation_timestamp AS "creationTimestamp" FROM stolen_credentials
     WHERE org = ? AND address_hmac IN (${placeholders(addressHmacs)}) ORDER BY creation_timestamp, id`,
    [org, ...addressHmacs],
  )
