import { mentionsPerson, type PersonIdentifiers, textsOf } from '../../kernel/lib/person-mention.ts'
import { rawEventTable } from '../../kernel/store/raw-event-tables.ts'
import type { Param, Reader } from '../../kernel/store/sql.ts'
import { rawEventWeeks } from '../ingest/raw-events.service.ts'

/** Rows scanned per statement. Rows about others are not transferred, only their keys. */
const rowsPerRead = 2000

const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(', ')

/** Returns SQL that is true if a column mentions one of the texts, ignoring the case of A to Z; one parameter each. */
const containsAny = ({ dialect }: Reader, column: string, texts: readonly string[]): string =>
  `(${texts.map(() => dialect.contains(`lower(${column})`)).join(' OR ')})`

const foldAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Returns the raw events that browsers of the person reported, and those that name the person. */
export async function* rawEventsOf(
  reader: Reader,
  org: number,
  names: PersonIdentifiers,
): AsyncGenerator<readonly object[]> {
  const texts = textsOf(names)
  const holds = `(employee_id IN (${placeholders(names.ids)}) OR ${containsAny(reader, 'event', texts)})`
  for (const week of await rawEventWeeks(reader)) {
    let after: Param[] = ['', '']
    for (;;) {
      const rows = await reader.all<{
        id: string
        browserId: string
        employeeId: string
        receivedMs: number
        address: string | null
        userAgent: string | null
        event: string | null
      }>(
        `SELECT id, browser_id AS "browserId", employee_id AS "employeeId", received_ms AS "receivedMs", address,
         user_agent AS "userAgent", CASE WHEN ${holds} THEN event END AS event FROM ${rawEventTable(week)}
         WHERE org = ? AND (id, browser_id) > (?, ?) ORDER BY id, browser_id LIMIT ${rowsPerRead}`,
        [...names.ids, ...texts, org, ...after],
      )
      const own = rows.flatMap(({ event, receivedMs, employeeId, ...row }) => {
        if (event === null) return []
        const isOwn = names.ids.includes(employeeId)
        if (!isOwn && !mentionsPerson(foldAscii(event), names)) return []
        const { id, browserId, address, userAgent } = row
        const facts = { id, browserId, receivedTimestamp: Math.floor(Number(receivedMs) / 1000) }
        return [{ ...facts, sourceIpAddress: address, userAgent, event: JSON.parse(event) as unknown }]
      })
      if (own.length > 0) yield own
      const last = rows.at(-1)
      if (!last || rows.length < rowsPerRead) break
      after = [last.id, last.browserId]
    }
  }
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
export const noticesTo = (reader: Reader, org: number, addresses: readonly string[]): Promise<object[]> =>
  reader.all(
    `SELECT id, kind, address, facts, state, creation_timestamp AS "creationTimestamp", sent_timestamp AS "sentTimestamp"
     FROM notices WHERE org = ? AND address_key IN (${placeholders(addresses)}) ORDER BY creation_timestamp, id`,
    [org, ...addresses],
  )

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
