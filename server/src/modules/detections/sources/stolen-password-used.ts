import type { App } from '@muster/contract/app'
import type { SightedApp, Sighting } from './sighting.ts'

/**
 * A login whose password matched a stolen credential. What it is about is the account.
 *
 * @param sensitivity how sensitive the data in the app is; null for apps outside the catalog, too
 */
export const stolenPasswordUsed = (
  loginUrl: string,
  accountId: string,
  app: SightedApp,
  sensitivity: App['sensitivityLevel'],
): Sighting => ({
  detectionType: 'STOLEN_CREDENTIALS',
  severity: sensitivity === 'HIGH' ? 'CRITICAL' : 'HIGH',
  response: 'MONITORED',
  appId: app.appId,
  appType: app.appType,
  url: loginUrl,
  referrerUrl: null,
  subject: accountId,
})
