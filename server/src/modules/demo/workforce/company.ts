/** The made-up company whose people are simulated, and the smaller one that it bought. */
export const companyDomain = 'northgate.example'
export const boughtDomain = 'fernhill.example'
/** Where its people have their private mail. */
export const privateMailDomain = 'letterbox.example'

export const daySeconds = 86_400

/** The departments, how many of a hundred people are in each, and the groups of its people. */
export const departments = [
  { name: 'Engineering', weight: 34, groups: ['Engineers', 'On call', 'Production access'] },
  { name: 'Sales', weight: 18, groups: ['Sales', 'Quota carriers'] },
  { name: 'Support', weight: 12, groups: ['Support', 'Night shift'] },
  { name: 'Marketing', weight: 10, groups: ['Marketing', 'Brand'] },
  { name: 'Operations', weight: 9, groups: ['Facilities', 'Purchasing'] },
  { name: 'Finance', weight: 7, groups: ['Finance', 'Payment approvers'] },
  { name: 'People', weight: 6, groups: ['Recruiters'] },
  { name: 'Legal', weight: 4, groups: ['Legal'] },
] as const
export type Department = (typeof departments)[number]['name']

/** Where people work. */
export interface Office {
  readonly name: string
  readonly weight: number
  /** Hours that its clocks are ahead of UTC. */
  readonly ahead: number
  /** The address by which its people reach the web, of those kept for documents (RFC 5737). */
  readonly address: string
}

/** The offices; those who work at home have addresses of their own. */
export const offices: readonly Office[] = [
  { name: 'London', weight: 3, ahead: 0, address: '203.0.113.17' },
  { name: 'Berlin', weight: 2, ahead: 1, address: '203.0.113.58' },
  { name: 'Lisbon', weight: 1, ahead: 0, address: '203.0.113.90' },
  { name: 'Toronto', weight: 2, ahead: -5, address: '198.51.100.12' },
  { name: 'Austin', weight: 1, ahead: -6, address: '198.51.100.77' },
  { name: 'Singapore', weight: 1, ahead: 8, address: '198.51.100.201' },
  { name: 'Remote', weight: 1, ahead: 0, address: '' },
]
