import type { KeyObject } from 'node:crypto'
import type { Actor } from '@muster/contract/events/event-actor'
import { auditedChanges } from '../../kernel/actions/audit-changes.rules.ts'
import type { Config } from '../../kernel/config/config.ts'
import { tomlName } from '../../kernel/config/config-settings.ts'
import { settingPages } from '../../kernel/config/setting-declaration.ts'
import { isSealed } from '../../kernel/config/stored-settings.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import type { TargetPolicy } from '../webhooks/delivery/target.rules.ts'
import { openSettings, sealSetting } from './sealed-settings.ts'
import {
  auditedValues,
  pagesOf,
  planChanges,
  type SettingChange,
  type SettingMistake,
} from './setting-changes.ts'
import { listStoredRows, putStoredRow, removeStoredRow, writeRevision } from './stored-settings.store.ts'

export interface SettingsChange {
  readonly org: number
  readonly changes: readonly SettingChange[]
  /** Settings of the operator. */
  readonly operator: Config
  readonly policy: TargetPolicy
  readonly key: KeyObject
  /** New, for processes to notice the change. */
  readonly revision: string
  readonly by: { readonly actor: Actor; readonly timestamp: number }
}

/**
 * Changes settings of an organization and records the names and values of what has changed, but no secrets.
 *
 * @returns what is wrong; then nothing was changed
 */
export async function changeSettings(tx: Tx, change: SettingsChange): Promise<readonly SettingMistake[]> {
  const { org, changes, operator, policy, key, by } = change
  await tx.lock(`settings ${org}`)
  // A value that cannot be decrypted counts as unset and can be replaced.
  const stored = openSettings(await listStoredRows(tx, org), key, () => undefined)
  const { mistakes, next } = planChanges(changes, { operator, stored, policy })
  if (mistakes.length > 0) return mistakes
  const changed = [...new Set([...stored.keys(), ...next.keys()])].filter(
    (name) => stored.get(name) !== next.get(name),
  )
  if (changed.length === 0) return []
  for (const setting of changed) {
    const name = tomlName(setting)
    const text = next.get(setting)
    const sealed = isSealed(setting)
    if (text === undefined) await removeStoredRow(tx, org, name)
    else
      await putStoredRow(
        tx,
        { org, name, value: sealed ? sealSetting(key, org, name, text) : text, sealed: sealed ? 1 : 0 },
        by.timestamp,
      )
  }
  await writeRevision(tx, change.revision)
  for (const page of pagesOf(changes)) {
    const list = auditedChanges(auditedValues(page, stored), auditedValues(page, next, stored))
    if (list.length > 0)
      await recordAudit(tx, org, 'SETTING_UPDATED', {
        ...by,
        new: { setting: settingPages[page].audited, changes: list },
      })
  }
  return []
}
