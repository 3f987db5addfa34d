import { detectionSource, noApp } from './detection-source.ts'

/** The employee tried to open a blocked URL. The subject is the pattern. */
export const blockedUrlOpened = detectionSource({
  kinds: ['BLOCKED_URL_VISITED'],
  signalsIn: (event) => [
    {
      detectionType: 'BLOCKED_URL',
      severity: 'LOW',
      response: 'BLOCKED',
      appId: noApp.appId,
      appType: noApp.appType,
      url: event.url,
      referrerUrl: event.referrerUrl,
      subject: event.blockedUrlId,
    },
  ],
})
