import type { App } from '@muster/contract/records/app'
import { type DetectionSignal, detectionSource, noApp, type SignalApp } from './detection-source.ts'

/**
 * Returns the signal of a login whose password matched a stolen credential. The subject is the account.
 *
 * @param sensitivity sensitivity of the data in the app; null if unknown, and for apps outside the catalog
 */
export const stolenPasswordSignal = (
  loginUrl: string,
  accountId: string,
  app: SignalApp,
  sensitivity: App['sensitivityLevel'],
): DetectionSignal => ({
  detectionType: 'STOLEN_CREDENTIALS',
  severity: sensitivity === 'HIGH' ? 'CRITICAL' : 'HIGH',
  response: 'MONITORED',
  appId: app.appId,
  appType: app.appType,
  url: loginUrl,
  referrerUrl: null,
  subject: accountId,
})

/** The employee signed in with a password that matches a stolen credential. */
export const stolenPasswordUsed = detectionSource({
  kinds: ['LOGIN'],
  signalsIn: (login, { accountOf }) => {
    if ((login.password?.stolenIds?.length ?? 0) === 0) return []
    const found = accountOf(login)
    if (found === undefined) return []
    const { accountId, app } = found
    const signalApp = app ? { appId: app.id, appType: app.type } : noApp
    return [stolenPasswordSignal(login.loginUrl, accountId, signalApp, app?.sensitivityLevel ?? null)]
  },
})
