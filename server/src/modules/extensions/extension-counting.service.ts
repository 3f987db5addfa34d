import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** Members of an installed extension that are counted. */
export interface InstalledExtension {
  readonly extensionId: string
  readonly employeeId: string
  /**
   * JSON array of version, name, description, permissions, host permissions, update URL and deployment mode.
   */
  readonly facts: string
  /** 1 if enabled, else 0. */
  readonly enabled: number
  readonly seq: number
}

const factMembers = [
  'version',
  'name',
  'description',
  'permissions',
  'hostPermissions',
  'updateUrl',
  'deploymentMode',
] as const

/**
 * Reads the installed extensions of an organization in chunks, grouped by employee: an employee who has an
 * extension in two browsers must count once.
 */
export async function* readInstalledExtensions(
  reader: Reader,
  org: number,
  chunkSize: number,
): AsyncGenerator<readonly InstalledExtension[]> {
  const index = reader.dialect.indexedBy('browser_extensions_by_employee_id')
  const from = `browser_extensions${index} WHERE org = ? AND employee_id > ?`
  const factsOf = reader.dialect.jsonMembers('record', factMembers)
  const columns = `extension_id AS "extensionId", employee_id AS "employeeId", ${factsOf} AS facts, enabled, seq`
  let after = ''
  for (;;) {
    const last = await reader.get<{ id: string }>(
      `SELECT employee_id AS id FROM ${from} ORDER BY employee_id LIMIT 1 OFFSET ?`,
      [org, after, chunkSize - 1],
    )
    const until = last ? ' AND employee_id <= ?' : ''
    const params = [org, after, ...(last ? [last.id] : [])]
    yield await reader.all<InstalledExtension>(
      `SELECT ${columns} FROM ${from}${until} ORDER BY employee_id`,
      params,
    )
    if (!last) return
    after = last.id
  }
}

/** State of the count of an organization's extensions; times in milliseconds. */
export interface ExtensionCounting {
  readonly begunMs: number
  /** Start of the last finished count; null if none has finished. */
  readonly countedMs: number | null
  readonly tookMs: number | null
}

/** Returns the state of the count; undefined if never started. */
export const extensionCounting = (db: Reader, org: number): Promise<ExtensionCounting | undefined> =>
  db.get<ExtensionCounting>(
    'SELECT begun_ms AS "begunMs", counted_ms AS "countedMs", took_ms AS "tookMs" FROM extension_counts WHERE org = ?',
    [org],
  )

export const recordCountStarted = (tx: Tx, org: number, nowMs: number): Promise<number> =>
  tx.insert(
    'extension_counts',
    ['org', 'begun_ms'],
    [[org, nowMs]],
    'ON CONFLICT (org) DO UPDATE SET begun_ms = excluded.begun_ms',
  )

export const recordCountFinished = (tx: Tx, org: number, begunMs: number, tookMs: number): Promise<number> =>
  tx.run('UPDATE extension_counts SET counted_ms = ?, took_ms = ? WHERE org = ?', [begunMs, tookMs, org])

/** Allows other processes to count after this count was aborted. */
export const recordCountAborted = (tx: Tx, org: number, begunMs: number): Promise<number> =>
  tx.run('UPDATE extension_counts SET begun_ms = coalesce(counted_ms, -1) WHERE org = ? AND begun_ms = ?', [
    org,
    begunMs,
  ])
