import type { Config } from '../../kernel/config/config.ts'
import type { SettingsOf } from '../settings/settings-watch.ts'
import type { AddressGuard } from '../webhooks/delivery/address-guard.ts'
import { type Mailer, type MailerOptions, mailer, mailSender } from './mail.ts'

/** Returns the mailer of an organization by the settings in effect now. */
export type MailerOf = (org: number) => Mailer

/** Returns the URL of the mail server with its password, if that is a setting of its own; undefined if there is none. */
export function smtpUrlOf({ smtpUrl, smtpPassword }: Config): string | undefined {
  if (smtpUrl === undefined || smtpPassword === undefined) return smtpUrl
  const url = new URL(smtpUrl)
  if (url.username === '' || url.password !== '') return smtpUrl
  url.password = encodeURIComponent(smtpPassword)
  return url.href
}

/** Options of all mailers. */
export interface MailersOptions extends Pick<MailerOptions, 'dataDir' | 'nameOf' | 'timeouts'> {
  readonly publicUrl: string
  /** Checks addresses of mail servers that owners have set in the console. */
  readonly guard: AddressGuard
}

/** Returns mailers that follow the settings: each message is sent by those in effect when it is sent. */
export const mailersOf =
  (settingsOf: SettingsOf, { publicUrl, guard, ...options }: MailersOptions): MailerOf =>
  (org) => {
    const config = settingsOf(org)
    const isOwn = config.sources.smtpUrl === 'console'
    const from = mailSender(config.mailFrom, publicUrl)
    return mailer({ ...options, from, smtpUrl: smtpUrlOf(config), guard: isOwn ? guard : undefined })
  }
