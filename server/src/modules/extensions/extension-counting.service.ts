import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** An installation of an extension, as far as it counts for all of them. */
export interface InstalledExtension {
  readonly extensionId: string
  readonly employeeId: string
  /** JSON of version, name, description, permissions, host permissions, address of updates and way of deployment. */
  readonly facts: string
  /** 1 if it is enabled, else 0. */
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
 * The installed extensions of an organization, some at a time. They come employee by employee: all installations of one
 * come together, so that who has an extension twice counts once.
 */
export async function* walkInstalledExtensions(
  reader: Reader,
  org: number,
  atOnce: number,
): AsyncGenerator<readonly InstalledExtension[]> {
  const index = reader.dialect.indexedBy('browser_extensions_by_employee_id')
  const from = `browser_extensions${index} WHERE org = ? AND employee_id > ?`
  const factsOf = reader.dialect.jsonMembers('record', factMembers)
  const columns = `extension_id AS "extensionId", employee_id AS "employeeId", ${factsOf} AS facts, enabled, seq`
  let after = ''
  for (;;) {
    const last = await reader.get<{ id: string }>(
      `SELECT employee_id AS id FROM ${from} ORDER BY employee_id LIMIT 1 OFFSET ?`,
      [org, after, atOnce - 1],
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

/** How the counting of an organization's extensions stands. Milliseconds since the epoch, and of duration. */
export interface ExtensionCounting {
  readonly begunMs: number
  /** When the counting that ended last had begun; null if none has ended yet. */
  readonly countedMs: number | null
  readonly tookMs: number | null
}

/** Undefined if it was never begun. */
export const extensionCounting = (db: Reader, org: number): Promise<ExtensionCounting | undefined> =>
  db.get<ExtensionCounting>(
    'SELECT begun_ms AS "begunMs", counted_ms AS "countedMs", took_ms AS "tookMs" FROM extension_counts WHERE org = ?',
    [org],
  )

export const noteCountingBegun = (tx: Tx, org: number, nowMs: number): Promise<number> =>
  tx.insert(
    'extension_counts',
    ['org', 'begun_ms'],
    [[org, nowMs]],
    'ON CONFLICT (org) DO UPDATE SET begun_ms = excluded.begun_ms',
  )

export const noteCountingEnded = (tx: Tx, org: number, begunMs: number, tookMs: number): Promise<number> =>
  tx.run('UPDATE extension_counts SET counted_ms = ?, took_ms = ? WHERE org = ?', [begunMs, tookMs, org])

/** Lets others count, for who had begun then will not end. */
export const noteCountingGivenUp = (tx: Tx, org: number, begunMs: number): Promise<number> =>
  tx.run('UPDATE extension_counts SET begun_ms = coalesce(counted_ms, -1) WHERE org = ? AND begun_ms = ?', [
    org,
    begunMs,
  ])
