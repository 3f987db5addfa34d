import { accessSync, constants } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Gauge, type Registry } from 'prom-client'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import type { RepeatOptions } from '../../kernel/jobs/background-jobs.ts'
import { claimDailyJob, finishDailyJob, releaseDailyJob } from '../../kernel/jobs/daily-jobs.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import { ConfigError } from '../../kernel/lib/config-error.ts'
import { makeFolder } from '../../kernel/lib/process/make-folder.ts'
import { listOrganizations } from '../../kernel/organizations/organizations.ts'
import type { StoreLocation } from '../../kernel/store/lifecycle/open.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import { scrapedGauges } from '../metrics/scraped-gauges.ts'
import { type BackupThread, writeBackupInThread } from './backup-thread.ts'

/** Schedule of backups. */
export interface BackupPlan {
  readonly folder: string
  readonly everyHours: number
  /** Number of backups to keep. */
  readonly keep: number
}

export interface ScheduledBackupOptions {
  readonly db: Db
  readonly clock: Clock
  readonly location: StoreLocation
  readonly plan: BackupPlan
  /** Master key as base64url; undefined to leave it out. */
  readonly masterKey: string | undefined
  readonly log: { info(facts: object, message: string): void }
  /** Writes the file; by default in a thread. */
  readonly write?: BackupThread
}

/** A finished backup. */
interface BackupFile {
  readonly name: string
  readonly createdSeconds: number
  readonly bytes: number
}

/** Interval at which a failed backup is tried again, and the largest delay of a due one. */
const pollMs = 5 * 60_000
/** Time after which another process may make the backup of a process that was killed. */
const claimMs = 60 * 60_000
const hourMs = 60 * 60_000
const jobName = 'backup'

/** `muster-2026-10-01T00-00-03Z.db`: sorts by time, and is a valid name on every system. */
const fileName = (nowMs: number): string =>
  `muster-${new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`
const fileNamePattern = /^muster-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)Z\.db$/
const abandonedPattern = /^muster-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db\.partial(?:-wal|-shm|-journal)?$/

/**
 * Creates the folder of the backups.
 *
 * @throws ConfigError if it cannot be created or written
 */
export function prepareBackupFolder({ folder }: BackupPlan): void {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw new ConfigError([`MUSTER_BACKUP_FOLDER must be a writable folder: ${(error as Error).message}.`])
  }
}

/**
 * Lists the scheduled backups in a folder, newest first. Other files are ignored.
 *
 * @throws the system's error if the folder cannot be read
 */
export async function listBackups(folder: string): Promise<BackupFile[]> {
  const files: BackupFile[] = []
  for (const name of await readdir(folder)) {
    const [, day, hour, minute, second] = fileNamePattern.exec(name) ?? []
    if (day === undefined) continue
    const stats = await existing(stat(join(folder, name)))
    const createdSeconds = Date.parse(`${day}${hour}:${minute}:${second}Z`) / 1000
    if (stats) files.push({ name, createdSeconds, bytes: stats.size })
  }
  return files.sort((one, other) => other.createdSeconds - one.createdSeconds)
}

/** Another process may delete a file at any time. */
const existing = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

/** Deletes unfinished backups of processes that were stopped or killed. Every attempt has a name of its own. */
async function deleteAbandoned(folder: string, nowMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!abandonedPattern.test(name)) continue
    const stats = await existing(stat(join(folder, name)))
    if (stats && stats.mtimeMs < nowMs - claimMs) await rm(join(folder, name), { force: true })
  }
}

/**
 * Backs up the store at start and then once per interval, counted from the UNIX epoch: every 24 hours is at midnight UTC. Of
 * several processes, one makes the backup. Deletes the oldest backups when a new one is complete.
 */
export const backupJob = (options: ScheduledBackupOptions): RepeatOptions => ({
  name: 'scheduled backup',
  everyMs: pollMs,
  run: (signal) => backUpIfDue(options, signal),
})

/**
 * @returns the name of the new backup; undefined if none was due
 * @throws BackupError or StoreUnavailableError if it failed; it is due again
 */
export async function backUpIfDue(
  { db, clock, location, plan, masterKey, log, write = writeBackupInThread }: ScheduledBackupOptions,
  signal: AbortSignal,
): Promise<string | undefined> {
  const nowMs = clock.nowMs()
  const period = Math.floor(nowMs / (plan.everyHours * hourMs))
  const claim = { day: period, nowMs, untilMs: nowMs + claimMs }
  if (!(await db.inTransaction((tx) => claimDailyJob(tx, jobName, claim))).isClaimed) return undefined
  const name = fileName(nowMs)
  const source = location.databaseUrl === undefined ? 'sqlite' : 'postgres'
  const facts = { createdSeconds: Math.floor(nowMs / 1000), source, masterKey } as const
  // Files that cannot be deleted must not prevent a backup.
  await deleteAbandoned(plan.folder, nowMs).catch(() => undefined)
  try {
    await write(location, join(plan.folder, name), facts, signal)
    await db.inTransaction(async (tx) => {
      await finishDailyJob(tx, jobName, period)
      await auditBackup(tx, facts.createdSeconds)
    })
  } catch (error) {
    await db.inTransaction((tx) => releaseDailyJob(tx, jobName, period))
    throw error
  }
  const [newest, ...others] = await listBackups(plan.folder)
  const old = others.slice(plan.keep - 1)
  for (const file of old) await rm(join(plan.folder, file.name), { force: true })
  log.info({ file: name, bytes: newest?.bytes, deleted: old.length }, 'wrote a scheduled backup')
  return name
}

/** Records a backup in the audit trails of all organizations, as `muster backup` does, but without an actor. */
async function auditBackup(tx: Tx, timestamp: number): Promise<void> {
  const facts = { what: 'everything', format: 'BACKUP', count: 0 } as const
  for (const { no } of await listOrganizations(tx))
    await recordAudit(tx, no, 'DATA_EXPORTED', { actor: null, timestamp, new: facts })
}

/** Registers the gauges of the backups. They are read from the folder, so they survive restarts. */
export function backupGauges(registry: Registry, { folder, everyHours }: BackupPlan): void {
  // Apart from the others, because it is known even if the folder cannot be read.
  new Gauge({
    name: 'muster_backup_interval_seconds',
    help: 'Interval of scheduled backups.',
    registers: [registry],
  }).set(everyHours * 3600)
  scrapedGauges(
    registry,
    {
      muster_backup_last_success_timestamp_seconds: { help: 'Time of the newest scheduled backup.' },
      muster_backup_last_size_bytes: { help: 'Size of the newest scheduled backup.' },
    },
    async () => {
      const [newest] = await listBackups(folder)
      if (newest === undefined) return {}
      return {
        muster_backup_last_success_timestamp_seconds: newest.createdSeconds,
        muster_backup_last_size_bytes: newest.bytes,
      }
    },
  )
}
