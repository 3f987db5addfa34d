import type { SettingInForce } from '@muster/contract/console/console-settings'

/** Settings under a heading. */
export interface SettingGroup {
  readonly title: string
  readonly settings: readonly SettingInForce[]
}

const groups: readonly (readonly [title: string, pattern: RegExp])[] = [
  ['Rate limits', /^rate_limit_/],
  [
    'Retention and enrollment',
    /^(raw_event_days|unused_account_days|silent_browser_days|enrollment_link_days|agent_heartbeat_seconds)$/,
  ],
  ['Mail', /^(smtp_url|smtp_password|mail_from)$/],
  ['Single sign-on', /^oidc_/],
  ['Alerts', /^(webhook_alerts|key_expiry_alert_days)$/],
  ['Network', /^(port|host|public_url|trust_proxy|tls_|plain_http|metrics_port)/],
  ['Storage', /^(data|database_url|redis_url|secret_key)$/],
]

/** Groups settings under headings. Settings that match no group come last. */
export function settingGroups(settings: readonly SettingInForce[]): SettingGroup[] {
  const found = groups.map(([title, pattern]) => ({
    title,
    settings: settings.filter(({ name }) => pattern.test(name)),
  }))
  const placed = new Set(found.flatMap((group) => group.settings))
  const others = { title: 'Other', settings: settings.filter((setting) => !placed.has(setting)) }
  return [...found, others].filter((group) => group.settings.length > 0)
}
