import { expect, test } from 'vitest'
import { stolenPasswordUsed } from './stolen-password-used.ts'

test.each([
  { sensitivity: 'HIGH', severity: 'CRITICAL' },
  { sensitivity: 'MEDIUM', severity: 'HIGH' },
  { sensitivity: 'LOW', severity: 'HIGH' },
  { sensitivity: null, severity: 'HIGH' },
] as const)(
  'on an app of sensitivity $sensitivity it is $severity, and monitored',
  ({ sensitivity, severity }) => {
    const app = { appId: 'zapier', appType: 'ZAPIER' }
    expect(stolenPasswordUsed('https://zapier.com/login', 'account', app, sensitivity)).toEqual({
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
