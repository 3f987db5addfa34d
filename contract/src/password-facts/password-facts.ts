import { readFileSync } from 'node:fs'
import type { AccountSystem, PasswordSite } from './password-facts-schema.ts'

const read = (name: string) => {
  const lines = readFileSync(new URL(name, import.meta.url), 'utf8').trimEnd()
  return JSON.parse(`[${lines.replaceAll('\n', ',')}]`)
}

/** Account systems that Muster ships: one line of `account-systems.jsonl` each. Node only, see ADR 0042. */
export const accountSystems: readonly AccountSystem[] = read('./account-systems.jsonl')

/** Sites with facts about their passwords: one line of `password-sites.jsonl` each. Node only, see ADR 0042. */
export const passwordSites: readonly PasswordSite[] = read('./password-sites.jsonl')
