import { expect, test } from 'vitest'
import { settingGroups } from './setting-groups.ts'

const setting = (name: string) =>
  ({ name, environment: '', value: null, source: 'default', help: '' }) as const

test('every setting is in exactly one group', () => {
  const names = ['port', 'rate_limit_burst', 'oidc_name', 'something_new', 'raw_event_days']
  const found = settingGroups(names.map(setting))
  expect(found.flatMap(({ settings }) => settings.map(({ name }) => name)).sort()).toEqual(names.sort())
  expect(found.map(({ title }) => title)).toEqual([
    'Rate limits',
    'Retention and enrollment',
    'Single sign-on',
    'Network',
    'Other',
  ])
})
