import { foldAscii } from '../../kernel/lib/fold-case.ts'
import { mentionsPerson, type PersonIdentifiers, textsOf } from '../../kernel/lib/person-mention.ts'
import type { Reader } from '../../kernel/store/sql.ts'

/** Returns the placeholders of a list of parameters. */
export const placeholders = (values: readonly string[]): string => values.map(() => '?').join(', ')

/** Returns SQL that is true if a column contains one of the texts, which have A to Z in lower case; one parameter each. */
export const containsAny = ({ dialect }: Reader, column: string, texts: readonly string[]): string =>
  `(${texts.map(() => dialect.contains(`lower(${column})`)).join(' OR ')})`

/** Saved filter that searches for a person. */
interface FoundFilter {
  readonly administrator: string
  readonly id: string
  readonly name: string
  readonly list: string
  readonly query: string
}

/**
 * Finds saved filters that search for the employee. Queries are percent-encoded: they are decoded before word boundaries
 * are checked.
 */
export async function filtersNaming(
  reader: Reader,
  org: number,
  names: PersonIdentifiers,
): Promise<FoundFilter[]> {
  const texts = textsOf(names)
  const inQuery = texts.map((text) => `${new URLSearchParams({ '': text })}`.slice(1).toLowerCase())
  const rows = await reader.all<FoundFilter>(
    `SELECT administrator_id AS administrator, id, name, list, query FROM saved_filters
     WHERE org = ? AND (${containsAny(reader, 'name', texts)} OR ${containsAny(reader, 'query', inQuery)})`,
    [org, ...texts, ...inQuery],
  )
  return rows.filter(({ name, query }) =>
    [name, ...new URLSearchParams(query).values()].some((text) => mentionsPerson(foldAscii(text), names)),
  )
}

/** Entry of the history of a finding or a detection, with a text. */
interface FoundNote {
  readonly recordId: string
  readonly number: number
  readonly kind: string
  readonly timestamp: number
  readonly text: string
}

/** Finds notes and reasons on findings and detections that name the employee. */
export async function notesNaming(
  reader: Reader,
  org: number,
  names: PersonIdentifiers,
): Promise<FoundNote[]> {
  const texts = textsOf(names)
  const rows = await reader.all<FoundNote>(
    `SELECT record_id AS "recordId", number, kind, timestamp, text FROM work_entries
     WHERE org = ? AND text IS NOT NULL AND ${containsAny(reader, 'text', texts)} ORDER BY record_id, number`,
    [org, ...texts],
  )
  return rows.filter(({ text }) => mentionsPerson(foldAscii(text), names))
}
