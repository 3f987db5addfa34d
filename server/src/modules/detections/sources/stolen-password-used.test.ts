import { expect, test } from 'vitest'
import { stolenPasswordSignal } from './stolen-password-used.ts'

test.each([
  { sensitivity: 'HIGH', severity: 'CRITICAL' },
  { sensitivity: 'MEDIUM', severity: 'HIGH' },
  { sensitivity: 'LOW', severity: 'HIGH' },
  { sensitivity: null, severity: 'HIGH' },
] as const)(
  'sensitivity $sensitivity gives severity $severity and the response MONITORED',
  ({ sensitivity, severity }) => {
    const app = { appId: 'zapier', appType: 'ZAPIER' }
    expect(stolenPasswordSignal('https://zapier.com/login', 'account', app, sensitivity)).toEqual({
      detectionType: 'STOLEN_CREDENTIALS',
      severity,
      response: 'MONITORED',
      ...app,
      url: 'https://zapier.com/login',
      referrerUrl: null,
      subject: 'account',
    })
  },
)
