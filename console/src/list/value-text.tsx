import type { ConsoleListName } from '@muster/contract/console/console-lists'
import { appTypeName } from '../data/app-names.ts'
import { useValues } from '../data/lists.ts'

/** Filters whose values are IDs with a readable name. */
const named = new Set(['appId', 'otherAppId', 'extensionId'])

/** Lists with the values of the filters of employees by app. Employees have no such values themselves. */
const appSources: Readonly<Record<string, ConsoleListName>> = {
  appId: 'accounts',
  otherAppId: 'accountsOther',
}

/** Readable text of a filter value. */
export function ValueText({ list, filter, value }: { list: ConsoleListName; filter: string; value: string }) {
  const source = (list === 'employees' && appSources[filter]) || list
  const { data } = useValues(source, filter, {}, { text: value, enabled: named.has(filter) })
  if (filter === 'appType' || (list === 'apps' && filter === 'type')) return appTypeName(value)
  return data?.values.find((one) => one.value === value)?.text ?? value
}
