import type { AlertDestination } from '@muster/contract/console/alerts/alert-kinds'
import type { Destination } from './destination.ts'
import { pagerDuty } from './pagerduty.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'
import { webhook } from './webhook.ts'

/** Destinations that are requested by HTTP. E-mails are notices. */
export type HttpDestination = Exclude<AlertDestination, 'EMAIL'>

export const destinations: Readonly<Record<HttpDestination, Destination>> = {
  SLACK: slack,
  TEAMS: teams,
  PAGERDUTY: pagerDuty,
  WEBHOOK: webhook,
}

/** Returns a destination; undefined for e-mail. */
export const destinationOf = (name: AlertDestination): Destination | undefined =>
  name === 'EMAIL' ? undefined : destinations[name]
