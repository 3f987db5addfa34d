import type { KeyObject } from 'node:crypto'
import type { Logger } from 'pino'
import type { Config } from '../../kernel/config/config.ts'
import { withStoredSettings } from '../../kernel/config/stored-settings.ts'
import { type BackgroundJob, repeat } from '../../kernel/jobs/background-jobs.ts'
import { firstOrganization } from '../../kernel/organizations/organizations.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { openSettings } from './sealed-settings.ts'
import { listStoredRows, readRevision } from './stored-settings.store.ts'

/** Returns the settings in effect for an organization. The same object until they change. */
export type SettingsOf = (org: number) => Config

/** In-memory copy of the settings in effect, which follows changes in the console of any process. */
export interface SettingsWatch extends BackgroundJob {
  readonly of: SettingsOf
  /** Settings of the operator alone. */
  readonly operator: Config
  /** Reads the settings now, after a change by this process. Keeps the known ones if the store fails. */
  refresh(): Promise<void>
  /** Calls back after changes. @returns a function that unsubscribes */
  onChange(listener: () => void): () => void
}

/** Maximum delay until a change by another process is noticed. */
const refreshEveryMs = 1000

export interface SettingsWatchOptions {
  readonly db: Db
  /** Settings of the operator. */
  readonly config: Config
  /** Key of the console's secrets. */
  readonly key: KeyObject
  readonly log: Pick<Logger, 'warn'>
}

/** Reads the stored settings, and again whenever their revision changes, which is queried every second. */
export async function settingsWatch({ db, config, key, log }: SettingsWatchOptions): Promise<SettingsWatch> {
  const listeners = new Set<() => void>()
  let byOrg: ReadonlyMap<number, Config> = new Map()
  let known: string | undefined
  let [started, applied] = [0, 0]

  const read = async (): Promise<ReadonlyMap<number, Config>> => {
    const rows = await listStoredRows(db)
    return new Map(
      [...Map.groupBy(rows, ({ org }) => org)].map(([org, own]) => {
        const stored = openSettings(own, key, (setting) =>
          log.warn({ org, setting }, 'a stored setting cannot be decrypted and is ignored'),
        )
        return [org, withStoredSettings(config, stored, org === firstOrganization)] as const
      }),
    )
  }
  const load = async (): Promise<void> => {
    started += 1
    const query = started
    // The revision first: rows that change after it are read again.
    const revision = await readRevision(db)
    if (revision === known) return
    const found = await read()
    // A query that started later may have finished earlier, with newer data.
    if (query < applied) return
    applied = query
    byOrg = found
    known = revision
    for (const listener of listeners) listener()
  }
  await load()
  const job = repeat(
    { name: 'refresh settings', everyMs: refreshEveryMs, atStart: false, logOnce: true, run: load },
    log,
  )
  return {
    of: (org) => byOrg.get(org) ?? config,
    operator: config,
    refresh: () => load().catch((error) => log.warn({ err: error }, 'the settings could not be read')),
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    stop: job.stop,
  }
}
