import type { ControlMode, Controls } from '@muster/contract/controls'

export type ProtectionName =
  | 'protectedPasswords'
  | 'clonedLoginPages'
  | 'phishingTools'
  | 'maliciousCopyPaste'
export type ProtectionValue = Controls[ProtectionName]
export type ProtectionRule = ProtectionValue['rules'][number]

/** What each protection looks for. */
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
    text: 'A page carries the marks of a known phishing tool.',
  },
  {
    name: 'maliciousCopyPaste',
    title: 'Malicious copy and paste',
    text: 'A page puts a shell command on the clipboard that nobody has selected.',
  },
]

/** What a protection can do, and what that means. */
export const modeChoices: readonly (readonly [ControlMode, string])[] = [
  ['OFF', 'Off – nothing is looked for'],
  ['MONITOR', 'Monitor – report, and say nothing'],
  ['WARN', 'Warn – report, and ask the employee'],
  ['BLOCK', 'Block – report, and stop it'],
]
