import type { ControlMode, Controls } from '@muster/contract/records/controls'

export type ProtectionName =
  | 'protectedPasswords'
  | 'clonedLoginPages'
  | 'phishingTools'
  | 'maliciousCopyPaste'
export type ProtectionValue = Controls[ProtectionName]
export type ProtectionRule = ProtectionValue['rules'][number]

/** Titles and descriptions of the protections. */
export const protectionFacts: readonly {
  readonly name: ProtectionName
  readonly title: string
  readonly text: string
}[] = [
  {
    name: 'protectedPasswords',
    title: 'Protected passwords',
    text: 'The password of a protected app is typed on another domain.',
  },
  {
    name: 'clonedLoginPages',
    title: 'Cloned login pages',
    text: 'A page on an unknown host imitates the login page of an identity provider.',
  },
  {
    name: 'phishingTools',
    title: 'Phishing tools',
    text: 'A page shows signs of a known phishing tool.',
  },
  {
    name: 'maliciousCopyPaste',
    title: 'Malicious copy and paste',
    text: 'A page copies a shell command to the clipboard that the employee did not select.',
  },
]

/** Modes of a protection with descriptions. */
export const modeChoices: readonly (readonly [ControlMode, string])[] = [
  ['OFF', 'Off – not checked'],
  ['MONITOR', 'Monitor – report silently'],
  ['WARN', 'Warn – report and warn the employee'],
  ['BLOCK', 'Block – report and block'],
]
