import type { KeyObject } from 'node:crypto'
import type { SettingName } from '../../kernel/config/config-settings.ts'
import { changeableSetting, type StoredSettings } from '../../kernel/config/stored-settings.ts'
import { decryptText, encryptText } from '../../kernel/lib/secrets/secret.ts'
import type { StoredRow } from './stored-settings.store.ts'

/** Ties an encrypted value to its organization and setting, so that it cannot be moved to another row. */
const context = (org: number, name: string): string => `setting ${org} ${name}`

/** Encrypts a value for the store. */
export const sealSetting = (key: KeyObject, org: number, name: string, text: string): string =>
  encryptText(key, text, context(org, name))

/**
 * Returns the stored settings of an organization, decrypted. Ignores names that this version does not know.
 *
 * @param key key of the console's secrets; undefined leaves out sealed values
 * @param onUnreadable called for a sealed value that cannot be decrypted; it is left out
 */
export function openSettings(
  rows: readonly StoredRow[],
  key: KeyObject | undefined,
  onUnreadable: (name: string) => void,
): StoredSettings {
  const texts = new Map<SettingName, string>()
  for (const { org, name, value, sealed } of rows) {
    const known = changeableSetting(name)
    if (known === undefined || (sealed === 1 && key === undefined)) continue
    try {
      texts.set(known, sealed === 1 && key ? decryptText(key, value, context(org, name)) : value)
    } catch {
      onUnreadable(name)
    }
  }
  return texts
}
