import { hash } from 'node:crypto'
import type { SiteWeek } from './incident-members.store.ts'

/** Returns the ID of the incident of many people on a site in a week. It has the form of other IDs. */
export function manyPeopleId({ site, week }: SiteWeek): string {
  const digits = hash('sha256', `${site} ${week}`)
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ]
  return parts.join('-')
}
